// What asks the service about a state while it is shown: anew when the question changes, and no longer when it goes.

import { Problem, wasAborted } from "../api.js";
import { LightElement } from "../screen.js";

export class AskingElement extends LightElement {
  /** @type {import("../vendor/lit-3.3.3.js").PropertyDeclarations} */
  static properties = { state: { attribute: false }, trouble: { state: true } };

  constructor() {
    super();
    /** @type {any} what is asked about */
    this.state = null;
    this.trouble = "";
    this.asked = "";
    this.work = new AbortController();
  }

  /** What the answer depends on. @returns {unknown} */
  question() {
    return this.state;
  }

  /** Ask, and keep what is answered. @param {AbortSignal} _signal */
  async answer(_signal) {}

  /** Forget what an answer that does not come would have replaced. */
  forget() {}

  disconnectedCallback() {
    super.disconnectedCallback();
    this.work.abort();
    this.asked = "";
  }

  /** @param {Map<string, unknown>} _changed */
  updated(_changed) {
    const question = JSON.stringify(this.question());
    if (this.state && question !== this.asked) {
      this.asked = question;
      void this.ask();
    }
  }

  async ask() {
    this.work.abort();
    this.work = new AbortController();
    this.trouble = "";
    try {
      await this.answer(this.work.signal);
    } catch (error) {
      if (wasAborted(error)) return;
      if (!(error instanceof Problem)) throw error;
      this.trouble = error.message;
      this.forget();
    }
  }
}
