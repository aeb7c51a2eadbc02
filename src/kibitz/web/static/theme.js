// Runs before anything is painted, so that no page flashes in another theme. Not a module for that reason.
(() => {
  let theme = "auto";
  try {
    theme = JSON.parse(localStorage.getItem("kibitz.settings") ?? "{}").theme ?? "auto";
  } catch {
    // A damaged entry is as good as none.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const contrast = matchMedia("(prefers-contrast: more)").matches;
  document.documentElement.dataset.theme = theme !== "auto" ? theme : contrast ? "contrast" : dark ? "dark" : "light";
})();
