// The message box: what is typed, what could follow, and the files that go with it.

import { aloud } from "./aloud.js";
import { byId, el, moved } from "./dom.js";
import { Refused } from "./wire.js";

const PAUSE = 80;
const KEPT = 50;
const THOUGHT = 700;

const DIE = /\b(d(?:4|6|8|10|12))\b/i;

/** Words with a shape before each size of a die. */
function withDice(words) {
  return words.split(DIE).map((part) => (DIE.test(part) ? el("span", { className: `die ${part.toLowerCase()}` }, part) : part));
}

/** The message box; `ask(line)` fetches suggestions, `send(line, files)` sends and throws what is refused. */
export class Box {
  constructor({ ask, send, notice, draft }) {
    Object.assign(this, { ask, send, notice, draft });
    this.input = byId("line");
    this.list = byId("offers");
    this.hint = byId("hint");
    this.found = null;
    this.at = -1;
    this.asked = 0;
    this.files = [];
    this.said = [];
    this.back = 0;
    this.write(draft.read());
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("keydown", (event) => this.keyed(event));
    this.input.addEventListener("focus", () => this.input.value.startsWith("/") && this.typed());
    this.input.addEventListener("blur", () => this.close());
    this.input.addEventListener("paste", (event) => this.given(event, event.clipboardData));
    byId("box").addEventListener("submit", (event) => this.submit(event));
    byId("attach").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", () => this.chosen());
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => this.given(event, event.dataTransfer));
  }

  /** Write something into the box, as if it had been typed. */
  type(words) {
    this.write(words);
    this.input.focus();
    this.typed();
  }

  /** The box is as high as what stands in it. */
  write(words) {
    this.input.value = words;
    this.fit();
  }

  fit() {
    this.input.style.setProperty("height", "auto");
    this.input.style.setProperty("height", `${this.input.scrollHeight}px`);
  }

  typed() {
    this.fit();
    this.draft.write(this.input.value);
    this.back = 0;
    const line = this.input.value;
    const number = ++this.asked;
    if (!line.startsWith("/")) return this.forget();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.fetch(line, number), PAUSE);
  }

  async fetch(line, number) {
    const found = await this.asking(line);
    if (number !== this.asked) return;
    this.found = found && { ...found, line };
    this.draw();
  }

  /** What could follow, or null where nothing is understood or the table is away. */
  async asking(line) {
    try {
      return await this.ask(line);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return null;
    }
  }

  forget() {
    this.asked += 1;
    this.found = null;
    this.draw();
  }

  draw() {
    const found = this.found;
    const offers = found?.offers ?? [];
    const files = found?.wants_file ? [{ label: "Choose a file…", about: found.about, is_file: true }] : [];
    this.shown = [...files, ...offers];
    this.items = this.shown.map((offer, place) =>
      el(
        "li",
        { role: "option", id: `offer-${place}`, "aria-selected": "false", onmousedown: (e) => e.preventDefault(), onclick: () => this.pick(place) },
        el("span", {}, withDice(offer.label)),
        offer.about ? el("small", {}, offer.about) : null,
      ),
    );
    this.list.replaceChildren(...this.items);
    this.open(this.items.length > 0 && document.activeElement === this.input);
    this.drawHint(found);
  }

  drawHint(found) {
    const parts = [];
    if (found?.path) parts.push(el("strong", {}, found.path));
    if (found?.option) parts.push(el("span", {}, `${found.option}: ${found.about}`));
    for (const one of found?.missing ?? []) {
      const add = () => this.type(`${this.input.value.trimEnd()} ${one.name}:`);
      const keep = (event) => event.preventDefault();
      parts.push(el("button", { type: "button", className: "chip", tabIndex: -1, title: one.about, onmousedown: keep, onclick: add }, `+ ${one.name}`));
    }
    this.hint.replaceChildren(...parts);
  }

  open(is) {
    this.list.hidden = !is;
    this.point(-1);
    this.list.scrollTop = 0;
    clearTimeout(this.telling);
    if (is) this.telling = setTimeout(() => this.tell(), THOUGHT);
  }

  /** How much is suggested, to whoever does not see it, once they pause. */
  tell() {
    const count = this.items.length;
    if (!this.list.hidden && this.at < 0) aloud(`${count} ${count === 1 ? "suggestion" : "suggestions"}, the first is ${this.shown[0].label}`);
  }

  close() {
    if (!this.list.hidden) this.open(false);
  }

  point(place) {
    this.at = place;
    this.items?.forEach((one, number) => one.setAttribute("aria-selected", String(number === place)));
    if (place < 0) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", this.items[place].id);
    this.items[place].scrollIntoView({ block: "nearest" });
  }

  pick(place) {
    const offer = this.shown[place];
    this.close();
    if (offer.is_file) return byId("file").click();
    const line = this.found.line;
    this.type(line.slice(0, line.length - offer.length) + offer.words);
  }

  keyed(event) {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    const isOpen = !this.list.hidden;
    const to = isOpen && !["Home", "End"].includes(event.key) ? moved(event.key, this.at, this.items.length) : null;
    if (to !== null) this.point(to);
    else if (isOpen && event.key === "Tab" && !event.shiftKey) this.pick(Math.max(0, this.at));
    else if (isOpen && event.key === "Escape") this.close();
    else if (isOpen && event.key === "Enter" && !event.shiftKey && this.takes()) this.pick(Math.max(0, this.at));
    else if (event.key === "Enter" && !event.shiftKey) byId("box").requestSubmit();
    else if (!isOpen && event.key === "ArrowUp" && (!this.input.value || this.back)) this.recall();
    else return;
    event.preventDefault();
  }

  /** Enter takes the suggestion that one went to, or the first one while the line is no whole command. */
  takes() {
    return this.at >= 0 || (this.found.line === this.input.value && !this.found.is_whole);
  }

  recall() {
    if (!this.said.length) return;
    this.back = Math.min(this.back + 1, this.said.length);
    this.write(this.said.at(-this.back));
  }

  async submit(event) {
    event.preventDefault();
    const typed = this.input.value.trim();
    const line = typed.startsWith("/") ? typed.replace(/\s*\n\s*/g, " ") : typed; // a command is one line
    const files = this.files;
    if (!line && !files.length) return;
    this.write("");
    this.files = [];
    this.forget();
    this.drawFiles();
    this.draft.write("");
    try {
      await this.send(line, files);
      this.said.push(line);
      if (this.said.length > KEPT) this.said.shift();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!this.input.value) this.write(line);
      this.draft.write(this.input.value);
      this.files = files;
      this.drawFiles();
      this.notice(error.message);
    }
  }

  chosen() {
    this.add([...byId("file").files]);
    byId("file").value = "";
  }

  given(event, data) {
    const files = [...(data?.files ?? [])];
    if (event.type !== "drop" && !files.length) return;
    event.preventDefault();
    this.add(files);
  }

  /** Files are kept until the line is sent; a command that wants one is told its name. */
  async add(files) {
    this.input.focus();
    for (const file of files) {
      this.files = [...this.files.filter((one) => one.name !== file.name), file];
      await this.name(file.name);
    }
    this.drawFiles();
  }

  async name(file) {
    const line = this.input.value;
    if (!line.startsWith("/")) return;
    const found = await this.asking(line);
    const missing = found?.missing.find((one) => one.is_file);
    if (found?.wants_file) this.type(line.slice(0, line.lastIndexOf(`${found.option}:`)) + `${found.option}:${file}`);
    else if (missing) this.type(`${line.trimEnd()} ${missing.name}:${file}`);
  }

  drawFiles() {
    const list = byId("files");
    const remove = (file) => () => {
      this.files = this.files.filter((one) => one !== file);
      this.drawFiles();
      this.input.focus();
    };
    list.hidden = !this.files.length;
    list.replaceChildren(
      ...this.files.map((file) =>
        el("li", {}, file.name, el("button", { type: "button", className: "link", onclick: remove(file) }, "Remove")),
      ),
    );
  }
}
