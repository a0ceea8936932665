// The parts of a message: texts, boxes, sections, pictures, files, rows of buttons and menus.

import { el } from "./dom.js";
import { choice } from "./choice.js";
import { safe, words } from "./words.js";

const STYLES = { 1: "main", 2: "quiet", 3: "good", 4: "danger", 5: "link" };
const ACCENT = /^#[0-9a-f]{6}$/;

/** The elements of the parts; `acts` says what pressing and choosing do. */
export function parts(all, acts) {
  return all.map((part) => made(part, acts));
}

function made(part, acts) {
  switch (part.kind) {
    case "text":
      return el("div", { className: "text" }, words(part.nodes, acts));
    case "box":
      return box(part, acts);
    case "section":
      return el("div", { className: "section" }, el("div", {}, parts(part.inside, acts)), made(part.side, acts));
    case "row":
      return el("div", { className: "row" }, parts(part.inside, acts));
    case "rule":
      return el(part.is_seen ? "hr" : "div", { className: part.is_wide ? "rule wide" : "rule" });
    case "gallery":
      return el("div", { className: "gallery" }, parts(part.inside, acts));
    case "picture":
      return picture(part);
    case "file":
      return file(part);
    case "button":
      return button(part, acts);
    case "menu":
      return menu(part, acts);
    default:
      return el("p", { className: "small" }, "The file is gone.");
  }
}

function box(part, acts) {
  const drawn = el("div", { className: "container" }, parts(part.inside, acts));
  if (ACCENT.test(part.accent ?? "")) drawn.style.setProperty("--accent", part.accent);
  return drawn;
}

function picture(part) {
  const drawn = el("img", { className: "picture", src: part.src, alt: part.alt, referrerpolicy: "no-referrer" });
  const link = el("a", { href: part.src, target: "_blank", rel: "noopener noreferrer" }, drawn);
  const whole = part.alt ? link : drawn;
  if (!part.is_spoiler) return whole;
  return el("details", { className: "spoiler" }, el("summary", {}, "Hidden picture"), whole);
}

function file(part) {
  const size = part.size < 1024 ? `${part.size} bytes` : `${Math.round(part.size / 1024)} KB`;
  const link = el("a", { href: part.src, download: part.name }, part.name);
  return el("p", { className: "file" }, link, el("small", {}, ` ${size}`));
}

function button(part, acts) {
  const face = [words(part.face, acts), part.label && el("span", {}, part.label)];
  const className = `button ${STYLES[part.style] ?? "quiet"}`;
  if (part.url) {
    return el("a", { className, href: safe(part.url), target: "_blank", rel: "noopener noreferrer" }, face);
  }
  const press = (event) => acts.press(event.currentTarget, part);
  return el("button", { className, type: "button", disabled: part.disabled, onclick: press, "data-key": part.id }, face);
}

function menu(part, acts) {
  const options = part.of === "options" ? part.options : acts.named(part.of);
  const done = (opener, values) => acts.choose(opener, part, values);
  return choice({ ...part, name: part.placeholder || "Choose", options, done });
}
