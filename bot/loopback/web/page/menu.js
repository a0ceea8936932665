// The menu behind a message or a person: More, right click or a long press.

import { el, moved } from "./dom.js";

const LONG = 500;
let open = null;

/** Open a menu of `entries` (a label and what it does) at a point, or under the element that opened it. */
export function openMenu(opener, entries, point) {
  closeMenu(false);
  if (!entries.length) return;
  const items = entries.map(([label, does]) =>
    el("button", { role: "menuitem", type: "button", tabIndex: -1, onclick: () => (closeMenu(), does()) }, label),
  );
  const drawn = el("div", { className: "menu", role: "menu", "aria-label": "Actions", onkeydown: (e) => keyed(e, items) }, items);
  (opener.closest("dialog, main, section, aside") ?? document.body).append(drawn);
  open = { drawn, opener };
  if (opener.hasAttribute("aria-expanded")) opener.setAttribute("aria-expanded", "true");
  place(drawn, point ?? under(opener));
  items[0].focus();
}

/** Close the menu; the focus goes back to what opened it. */
export function closeMenu(focuses = true) {
  if (!open) return;
  const { drawn, opener } = open;
  open = null;
  drawn.remove();
  if (opener.hasAttribute("aria-expanded")) opener.setAttribute("aria-expanded", "false");
  if (focuses) opener.focus();
}

function under(opener) {
  const box = opener.getBoundingClientRect();
  return { x: box.left, y: box.bottom };
}

function place(drawn, { x, y }) {
  const box = drawn.getBoundingClientRect();
  drawn.style.setProperty("left", `${Math.max(8, Math.min(x, innerWidth - box.width - 8))}px`);
  drawn.style.setProperty("top", `${Math.max(8, Math.min(y, innerHeight - box.height - 8))}px`);
}

function keyed(event, items) {
  const to = moved(event.key, items.indexOf(document.activeElement), items.length);
  if (to !== null) items[to].focus();
  else if (event.key === "Escape" || event.key === "Tab") closeMenu();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

document.addEventListener("pointerdown", (event) => {
  if (open && !open.drawn.contains(event.target)) closeMenu(false);
});

/** Let a right click or a long press on an element open something at that point. */
export function onLongPress(element, does) {
  let waiting = null;
  let start = null;
  const cancel = () => clearTimeout(waiting);
  const isOwn = (target) => target.closest("a, input, button:not(.person)");
  element.addEventListener("contextmenu", (event) => {
    if (isOwn(event.target)) return;
    event.preventDefault();
    cancel();
    does({ x: event.clientX, y: event.clientY });
  });
  element.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" || isOwn(event.target)) return;
    start = { x: event.clientX, y: event.clientY };
    waiting = setTimeout(() => does(start), LONG);
  });
  element.addEventListener("pointermove", (event) => {
    if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > 10) cancel();
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) element.addEventListener(end, cancel);
}
