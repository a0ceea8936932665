// One tab stop a message: arrows walk messages, Enter goes in, Escape comes back; Tab in a dialog is a ring.

import { byId } from "./dom.js";

const CONTROLS = "a[href], button, summary";
const STOPS = `${CONTROLS}, input, textarea, select, [tabindex="0"]`;

/** What is in a message is no stop of its own until somebody goes in. */
export function asOneStop(message) {
  for (const one of message.querySelectorAll(CONTROLS)) one.tabIndex = -1;
}

/** Let messages be walked by the keyboard. */
export function walks(log) {
  log.addEventListener("keydown", (event) => keyed(event, log));
  log.addEventListener("focusin", ({ target }) => {
    const message = target.closest("article");
    if (message && target !== message) for (const one of message.querySelectorAll(CONTROLS)) one.tabIndex = 0;
  });
  log.addEventListener("focusout", ({ target, relatedTarget }) => {
    const message = target.closest("article");
    if (message && (!message.contains(relatedTarget) || relatedTarget === message)) asOneStop(message);
  });
}

function keyed(event, log) {
  const here = event.target.closest("article, .earlier");
  if (!here || event.defaultPrevented || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  const isIn = event.target !== here;
  if (event.key === "Escape") (isIn ? here : byId("line")).focus();
  else if (isIn) return;
  else if (event.key === "Enter" && here.matches("article")) (first(here, ".parts") ?? first(here, ""))?.focus();
  else if (!walk(event.key, here, log)) return;
  event.preventDefault();
}

function first(message, within) {
  return [...message.querySelectorAll(within ? `${within} :is(${CONTROLS})` : CONTROLS)].find((one) => !one.disabled);
}

function walk(key, here, log) {
  const all = [...log.querySelectorAll("article, .earlier")];
  const at = all.indexOf(here);
  const to = { ArrowUp: Math.max(0, at - 1), ArrowDown: Math.min(all.length - 1, at + 1), Home: 0, End: all.length - 1 }[key];
  all[to]?.focus();
  return to !== undefined;
}

/** Let Tab go round within a dialog, and never out of it. */
export function rings(dialog) {
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.defaultPrevented) return;
    const stops = [...dialog.querySelectorAll(STOPS)].filter((one) => isStop(one, dialog));
    const at = stops.indexOf(document.activeElement);
    const isOver = event.shiftKey ? at <= 0 : at === stops.length - 1;
    if (!isOver) return;
    stops.at(event.shiftKey ? -1 : 0)?.focus();
    event.preventDefault();
  });
}

/** Of radio buttons, the one that is chosen is a stop, or the first. */
function isStop(one, dialog) {
  if (one.disabled || one.tabIndex < 0 || !one.checkVisibility()) return false;
  if (one.type !== "radio") return true;
  const group = [...dialog.querySelectorAll("input[type=radio]")].filter((other) => other.name === one.name);
  return one === (group.find((other) => other.checked) ?? group[0]);
}
