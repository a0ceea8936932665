// Text with its markup, from the tree that the table sends.

import { el } from "./dom.js";

const PLAIN = new Set([
  "p", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em", "u", "s",
]);
const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const FACE = /^d(\d+)_(\d+)$/;
const UNITS = [
  ["year", 31_536_000], ["month", 2_592_000], ["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1],
];

/** The elements for a list of nodes; `acts` are what a command and a link to a message do. */
export function words(nodes, acts) {
  return nodes.map((node) => (typeof node === "string" ? node : element(node, acts)));
}

function element(node, acts) {
  const inside = words(node.in ?? [], acts);
  if (PLAIN.has(node.tag)) return el(node.tag, {}, inside);
  switch (node.tag) {
    case "h2":
    case "h3":
      return el("h3", { className: node.tag }, inside);
    case "small":
      return el("p", { className: "small" }, el("small", {}, inside));
    case "a":
      return el("a", { href: safe(node.href), target: "_blank", rel: "noopener noreferrer" }, inside);
    case "time":
      return time(node.at, node.style);
    case "seen":
      return el("span", { "aria-hidden": "true" }, inside);
    case "emoji":
      return emoji(node, shown(node));
    case "dice":
      return el("span", { role: "img", "aria-label": node.name }, node.in.map((one) => emoji(one, "")));
    case "mention":
      return el("span", { className: "mention" }, inside);
    case "command":
      return el("button", { className: "command", type: "button", onclick: () => acts.type(inside[0]) }, inside);
    case "jump":
      return el("a", { href: `#m${node.message}`, onclick: (e) => acts.jump(e, node) }, inside);
    case "spoiler":
      return el("details", { className: "spoiler" }, el("summary", {}, "Hidden"), el("span", {}, inside));
    default:
      return el("span", {}, inside);
  }
}

function emoji(node, alt) {
  return el("img", { className: "emoji", src: `emojis/${node.id}`, alt, title: alt });
}

/** What a moment, an emoji or a row of dice is read as, a face of a die as `d10: 7`; nothing for other nodes. */
export function shown(node) {
  if (node.tag === "dice") return node.name;
  if (node.tag === "emoji") return node.name.replace(FACE, "d$1: $2");
  return node.tag === "time" ? moment(new Date(node.at * 1000), node.style) : undefined;
}

/** Headings come one below the other, whatever sizes somebody typed. */
export function inOrder(whole) {
  let isBelow = false;
  for (const heading of whole.querySelectorAll(".h2, .h3")) {
    if (heading.className === "h2") isBelow = true;
    else if (isBelow) heading.replaceWith(el("h4", { className: "h3" }, [...heading.childNodes]));
  }
  return whole;
}

/** An address that a link may lead to. */
export function safe(address) {
  return /^https?:\/\//.test(address) ? address : undefined;
}

/** A moment in the reader's own zone. */
export function time(at, style = "f") {
  const date = new Date(at * 1000);
  const made = el("time", { datetime: date.toISOString(), title: moment(date, "F") }, moment(date, style));
  if (style === "R") made.dataset.relative = at;
  return made;
}

function moment(date, style) {
  if (style === "R") return relative(date);
  return new Intl.DateTimeFormat(undefined, STYLES[style]).format(date);
}

function relative(date) {
  const seconds = (date.getTime() - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(Math.trunc(seconds / size), unit);
}

setInterval(() => {
  for (const made of document.querySelectorAll("time[data-relative]")) {
    made.textContent = relative(new Date(made.dataset.relative * 1000));
  }
}, 30_000);
