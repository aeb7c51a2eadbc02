export * from "lit";
export { Directive, PartType, directive } from "lit/directive.js";
export { keyed } from "lit/directives/keyed.js";
export { live } from "lit/directives/live.js";
export { repeat } from "lit/directives/repeat.js";
