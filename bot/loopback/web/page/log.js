// The channel: its messages in order, kept at the newest one unless somebody reads further up.

import { aloud, changes, wholly } from "./aloud.js";
import { byId, el } from "./dom.js";
import { article, renew } from "./message.js";
import { walks } from "./walk.js";

const NEAR = 80;

export class Log {
  constructor(acts, telling, earlier) {
    this.acts = acts;
    this.telling = telling;
    this.earlier = earlier;
    this.box = byId("log");
    this.newer = byId("newer");
    this.newer.addEventListener("click", () => this.toNewest());
    this.box.addEventListener("scroll", () => this.isAtEnd() && (this.newer.hidden = true));
    this.box.addEventListener("load", () => this.sticks && this.toEnd(), true);
    new ResizeObserver(() => this.sticks && this.toEnd()).observe(this.box);
    this.box.addEventListener("scroll", () => (this.sticks = this.isAtEnd()));
    this.sticks = true;
    this.known = new Map();
    walks(this.box);
  }

  /** Show these messages and no others. */
  all(messages, isAll) {
    this.known = new Map(messages.map((message) => [message.id, message]));
    this.box.replaceChildren(...messages.map((message) => article(message, this.acts)));
    if (!messages.length) this.box.append(this.acts.opening());
    if (!isAll) this.box.prepend(this.more());
    this.toEnd();
  }

  more() {
    const button = el("button", { type: "button", className: "button quiet earlier" }, "Earlier messages");
    const show = async () => {
      const first = this.box.querySelector("article");
      const { messages, is_all: isAll } = await this.earlier(first.id.slice(1));
      for (const message of messages) this.known.set(message.id, message);
      const top = first.getBoundingClientRect().top;
      button.replaceWith(...(isAll ? [] : [this.more()]), ...messages.map((message) => article(message, this.acts)));
      this.box.scrollTop += first.getBoundingClientRect().top - top;
      first.focus({ preventScroll: true });
    };
    button.addEventListener("click", () => this.telling(show));
    return button;
  }

  /** A message is new, or has changed. */
  put(message, isQuiet) {
    const old = document.getElementById(`m${message.id}`);
    const sticks = this.isAtEnd();
    if (!isQuiet) this.say(message, old);
    this.known.set(message.id, message);
    if (old) {
      renew(old, message, this.acts);
    } else {
      this.box.querySelector(".empty")?.remove();
      this.place(message);
    }
    if (sticks) this.toEnd();
    else if (!old) this.newer.hidden = false;
  }

  /** What is one's own is not said again, and what is not there yet is said when it is. */
  say(message, old) {
    const before = this.known.get(message.id);
    if (message.is_loading || this.acts.isMe(message.author)) return;
    if (!before || before.is_loading) aloud(wholly(message, this.acts.isMe));
    else aloud(changes(before, message, Boolean(old?.contains(document.activeElement))));
  }

  place(message) {
    const fresh = article(message, this.acts);
    const after = [...this.box.querySelectorAll("article")].find((one) => BigInt(one.id.slice(1)) > BigInt(message.id));
    if (after) after.before(fresh);
    else this.box.append(fresh);
  }

  /** A message is gone. */
  gone(id) {
    const old = document.getElementById(`m${id}`);
    if (!old) return;
    const hadFocus = old.contains(document.activeElement);
    const near = old.nextElementSibling ?? old.previousElementSibling ?? byId("line");
    old.remove();
    this.known.delete(id);
    if (hadFocus) near.focus();
  }

  /** Go to the newest message; to the message box where there is none. */
  toNewest() {
    this.toEnd();
    ([...this.box.querySelectorAll("article")].at(-1) ?? byId("line")).focus();
  }

  isAtEnd() {
    return this.box.scrollHeight - this.box.scrollTop - this.box.clientHeight < NEAR;
  }

  toEnd() {
    this.box.scrollTop = this.box.scrollHeight;
    this.newer.hidden = true;
    this.sticks = true;
  }
}
