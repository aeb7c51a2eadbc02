// Makes the one vendored file of Lit and its manifest anew, or with --check compares them with what is committed.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FOLDER = `${ROOT}src/kibitz/web/static/vendor/`;
const VERSION = JSON.parse(readFileSync(`${ROOT}node_modules/lit/package.json`, "utf8")).version;
const FILE = `lit-${VERSION}.js`;
const PARTS = `export * from "lit";
export { Directive, PartType, directive } from "lit/directive.js";
export { keyed } from "lit/directives/keyed.js";
export { live } from "lit/directives/live.js";
export { repeat } from "lit/directives/repeat.js";
`;

const made = await build({
  stdin: { contents: PARTS, resolveDir: ROOT },
  bundle: true,
  format: "esm",
  minify: true,
  legalComments: "eof",
  write: false,
});
const code = made.outputFiles[0].text;
const manifest = {
  [FILE]: {
    name: "lit",
    version: VERSION,
    sha256: createHash("sha256").update(code).digest("hex"),
    licence: "BSD-3-Clause",
    licence_text: readFileSync(`${ROOT}node_modules/lit/LICENSE`, "utf8"),
    made_by: "npm run vendor",
  },
};
const files = {
  [FILE]: code,
  [FILE.replace(/js$/, "d.ts")]: PARTS,
  "MANIFEST.json": JSON.stringify(manifest, null, 2) + "\n",
};
for (const [name, text] of Object.entries(files)) {
  if (!process.argv.includes("--check")) {
    writeFileSync(FOLDER + name, text);
  } else if (readFileSync(FOLDER + name, "utf8") !== text) {
    console.error(`${name} is not what the packages give: npm run vendor`);
    process.exitCode = 1;
  }
}
