// The service, as screens speak to it. Errors are `Problem`s with one clear line; streams are async generators.

/** What went wrong, in words that can be shown. `type` is such as "invalid-notation". */
export class Problem extends Error {
  /** @param {{type?: string, title?: string, detail?: string, status?: number, [name: string]: any}} data */
  constructor(data) {
    super(data.detail || data.title || "something went wrong");
    this.name = "Problem";
    this.type = (data.type ?? "").replace("/problems/", "");
    this.status = data.status ?? 0;
    this.data = data;
  }
}

/** @typedef {{signal?: AbortSignal, headers?: Record<string, string>}} Options */

/**
 * An answer as JSON.
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<any>}
 */
export async function get(path, options = {}) {
  return (await ask("GET", path, undefined, options)).json();
}

/**
 * An answer as text.
 * @param {string} path
 * @param {Options} [options]
 */
export async function getText(path, options = {}) {
  return (await ask("GET", path, undefined, options)).text();
}

/**
 * @param {string} path
 * @param {any} body
 * @param {Options} [options]
 * @returns {Promise<any>}
 */
export async function post(path, body, options = {}) {
  const response = await ask("POST", path, body, options);
  return response.status === 204 ? null : response.json();
}

/**
 * @param {string} path
 * @param {any} body
 * @param {Options} [options]
 * @returns {Promise<any>}
 */
export async function patch(path, body, options = {}) {
  const response = await ask("PATCH", path, body, options);
  return response.status === 204 ? null : response.json();
}

/**
 * @param {string} path
 * @param {any} body
 * @param {Options} [options]
 * @returns {Promise<any>}
 */
export async function put(path, body, options = {}) {
  const response = await ask("PUT", path, body, options);
  return response.status === 204 ? null : response.json();
}

/**
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<any>}
 */
export async function remove(path, options = {}) {
  const response = await ask("DELETE", path, undefined, options);
  return response.status === 204 ? null : response.json();
}

/**
 * A file as it is: `POST /v1/matches?name=…` keeps a match, `POST /v1/parse` reads a position.
 * @param {string} path
 * @param {Blob} file
 * @param {Options} [options]
 * @returns {Promise<any>}
 */
export async function send(path, file, options = {}) {
  const headers = { "content-type": "application/octet-stream", ...options.headers };
  return (await ask("POST", path, file, { ...options, headers })).json();
}

/**
 * @typedef {object} ServerEvent
 * @property {string} event its name: partial, progress, final
 * @property {string} id
 * @property {any} data
 */

/**
 * Events as they come; a `problem` event is thrown. Leaving the loop or aborting the signal stops the work behind it.
 * With a body it is a POST, without one a GET.
 * @param {string} path
 * @param {any} body
 * @param {Options} [options]
 * @returns {AsyncGenerator<ServerEvent, void, void>}
 */
export async function* stream(path, body, options = {}) {
  const leave = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, leave.signal]) : leave.signal;
  const headers = { accept: "text/event-stream", ...options.headers };
  try {
    const response = await ask(body === undefined ? "GET" : "POST", path, body, { signal, headers });
    if (!response.body) return;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventParser();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      for (const event of parser.push(value)) {
        if (event.event === "problem") throw new Problem(event.data);
        yield event;
      }
    }
  } finally {
    leave.abort();
  }
}

/** Text of a stream cut into events. */
export class EventParser {
  constructor() {
    this.rest = "";
  }

  /**
   * @param {string} text
   * @returns {ServerEvent[]}
   */
  push(text) {
    const blocks = (this.rest + text).split("\n\n");
    this.rest = blocks.pop() ?? "";
    const found = [];
    for (const block of blocks) {
      const event = { event: "message", id: "", data: "" };
      for (const line of block.split("\n")) {
        const at = line.indexOf(":");
        const name = at < 0 ? line : line.slice(0, at);
        const value = at < 0 ? "" : line.slice(at + 1).replace(/^ /, "");
        if (name === "data") event.data += (event.data && "\n") + value;
        else if (name === "event" || name === "id") event[name] = value;
      }
      if (event.data) found.push({ ...event, data: JSON.parse(event.data) });
    }
    return found;
  }
}

/** Whether an error says only that nobody waits for the answer any more. @param {unknown} error */
export function wasAborted(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * @param {string} method
 * @param {string} path
 * @param {any} body
 * @param {Options} options
 */
async function ask(method, path, body, { signal, headers = {} }) {
  const raw = body instanceof Blob;
  /** @type {RequestInit} */
  const request = { method, signal, headers: { accept: "application/json", ...headers }, credentials: "same-origin" };
  if (body !== undefined) {
    request.body = raw ? body : JSON.stringify(body);
    request.headers = { ...(raw ? {} : { "content-type": "application/json" }), ...request.headers };
  }
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (wasAborted(error)) throw error;
    throw new Problem({ type: "offline", detail: "Kibitz does not answer: is it still running?" });
  }
  if (!response.ok) {
    let data;
    try {
      data = await response.json();
    } catch {
      data = { detail: `the server answered ${response.status}` };
    }
    throw new Problem({ status: response.status, ...data });
  }
  return response;
}
