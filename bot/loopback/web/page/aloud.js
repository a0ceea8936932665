// What is said aloud by a screen reader: a new message whole, of one that has changed only what is new.

import { byId, el } from "./dom.js";
import { shown } from "./words.js";

const STAYS = 15_000;
const BLOCKS = new Set(["h2", "h3", "p", "small", "ul", "ol", "li", "blockquote", "pre"]);

/** Say something when nothing else is being said. */
export function aloud(words) {
  if (!words) return;
  const line = el("p", {}, words);
  byId("aloud").append(line);
  setTimeout(() => line.remove(), STAYS);
}

/** A new message, as it is said. */
export function wholly(message, isMe) {
  const said = linesOf(message.parts).map(ended);
  const count = labels(message.parts).length;
  if (count) said.push(count === 1 ? "1 button." : `${count} buttons.`);
  if (message.is_private) said.push("Only you can see this.");
  return [...who(message, isMe), ...said].join(" ");
}

function who({ used, author }, isMe) {
  if (!used) return author.is_bot ? [] : [`${author.name}:`];
  if (isMe(used.by)) return [];
  return [used.what ? `${used.by.name} used ${used.what}.` : `${used.by.name} pressed a button.`];
}

/** What has changed of a message, as it is said: its new lines, or its new buttons; nothing if there are none. */
export function changes(before, after, isWithin) {
  const old = linesOf(before.parts).flatMap(sentences);
  const fresh = linesOf(after.parts).flatMap(sentences);
  const lines = without(fresh, old);
  const pressed = lines.length ? [] : without(labels(after.parts), labels(before.parts));
  const said = lines.length ? lines.map(ended).join(" ") : pressed.length ? ended(`Buttons: ${pressed.join(", ")}`) : "";
  const isNamed = isWithin || !said || !fresh.length || fresh[0] === lines[0];
  return isNamed ? said : `Changed, ${ended(fresh[0])} ${said}`;
}

function without(all, others) {
  const left = [...others];
  return all.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function sentences(line) {
  return line.split(/(?<=[.!?]) +/);
}

function ended(line) {
  return /[.!?:…]$/.test(line) ? line : `${line}.`;
}

function linesOf(all) {
  return all.flatMap((part) => {
    if (part.kind === "text") return part.nodes.flatMap(textLines);
    if (part.kind === "picture") return part.alt ? [part.alt] : [];
    if (part.kind === "file") return [`File: ${part.name}`];
    if (part.kind === "menu") return [];
    return linesOf(part.inside ?? []);
  });
}

function textLines(node) {
  const inside = typeof node === "string" ? [] : (node.in ?? []);
  const deeper = inside.some((one) => BLOCKS.has(one.tag));
  if (deeper) return inside.flatMap(textLines);
  return plain(node).split("\n").map((line) => line.trim()).filter(Boolean);
}

function plain(node) {
  if (typeof node === "string") return node;
  if (node.tag === "spoiler") return "hidden";
  if (node.tag === "seen") return "";
  return shown(node) ?? (node.in ?? []).map(plain).join("");
}

function labels(all) {
  return all.flatMap((part) => {
    if (part.kind === "button") return part.disabled ? [] : [part.label || "a button"];
    if (part.kind === "menu") return part.disabled ? [] : [part.placeholder || "a menu"];
    return labels([...(part.inside ?? []), ...(part.side ? [part.side] : [])]);
  });
}
