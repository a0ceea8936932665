// A message as an article: who, when, what it says, and what can be done with it.

import { el } from "./dom.js";
import { onLongPress } from "./menu.js";
import { parts } from "./parts.js";
import { asOneStop } from "./walk.js";
import { inOrder, time } from "./words.js";

const HUES = 8;

/** The article of a message; elsewhere than in the channel its id begins otherwise. */
export function article(message, acts, begins = "m") {
  const id = `${begins}${message.id}`;
  const head = el(
    "h2",
    { className: "head", id: `${id}-head` },
    message.used ? used(message.used, acts) : null,
    el("span", { className: "author" }, message.author.name),
    message.author.is_bot ? el("span", { className: "tag" }, "app") : null,
    time(message.at, "t"),
    message.is_edited ? el("span", { className: "mark" }, "edited") : null,
    message.is_pinned ? el("span", { className: "mark" }, "pinned") : null,
  );
  const more = el("button", { className: "more", type: "button", "aria-haspopup": "menu", "aria-expanded": "false" }, "Actions");
  more.addEventListener("click", () => acts.more(message, more));
  const drawn = el(
    "article",
    { id, className: classes(message), "aria-labelledby": head.id, tabIndex: 0 },
    face(message.author),
    head,
    el("div", { className: "parts" }, body(message, acts)),
    message.is_private ? alone(message, acts) : null,
    more,
  );
  onLongPress(drawn, (point) => acts.more(message, more, point));
  if (begins === "m") asOneStop(drawn);
  return inOrder(drawn);
}

function classes(message) {
  const marks = { private: message.is_private, loading: message.is_loading, mine: message.is_to_me };
  return ["message", ...Object.keys(marks).filter((name) => marks[name])].join(" ");
}

function body(message, acts) {
  if (message.is_loading) return [el("p", { className: "thinking" }, `${message.author.name} is thinking…`)];
  return parts(message.parts, acts.of(message));
}

function used(done, acts) {
  const person = el("button", { className: "person", type: "button" }, done.by.name);
  person.addEventListener("click", () => acts.person(done.by, person));
  return el("span", { className: "used" }, person, done.what ? ` used ${done.what}` : " pressed a button");
}

function alone(message, acts) {
  const dismiss = el("button", { type: "button", className: "link", onclick: () => acts.dismiss(message) }, "Dismiss");
  return el("footer", {}, "Only you can see this. ", dismiss);
}

/** A round face with the first letter of a name; the same name has the same colour. */
export function face(person) {
  const hue = [...person.name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 997, 7) % HUES;
  const className = person.is_bot ? "face bot" : `face hue-${hue}`;
  return el("span", { className, "aria-hidden": "true" }, [...person.name][0]?.toUpperCase() ?? "");
}

/** Put a message's newest state in the place of what is shown, keeping the focus where it was. */
export function renew(old, message, acts) {
  return swap(old, article(message, acts));
}

/** Put something fresh in the place of what is shown, keeping the focus where it was, or near it. */
export function swap(old, fresh, otherwise = fresh) {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const controls = (whole) => [...whole.querySelectorAll("button[data-key], .opener, a")];
  const number = focused ? controls(old).indexOf(focused) : -1;
  for (const opener of old.querySelectorAll(".opener")) opener.setAttribute("aria-expanded", "false"); // takes nothing
  old.replaceWith(fresh);
  if (!focused) return fresh;
  const all = controls(fresh).filter((one) => !one.disabled);
  const same = all.find((one) => focused.dataset.key && one.dataset.key === focused.dataset.key);
  (same ?? all[Math.min(number, all.length - 1)] ?? otherwise).focus({ preventScroll: true });
  return fresh;
}
