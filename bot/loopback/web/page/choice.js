// A menu of a message: a button that opens a list. One choice is taken at once; several are taken when
// the list is closed, by Done or by going elsewhere. Escape takes nothing.

import { el, moved, newId } from "./dom.js";

/** A menu: its `name`, `options`, the `least` and `most` to choose, and what happens when it is `done`. */
export function choice(menu) {
  const chosen = menu.options.filter((option) => option.is_chosen).map((option) => option.label);
  const shown = chosen.length ? `${menu.name}: ${chosen.join(", ")}` : menu.name;
  const opener = el(
    "button",
    { className: "opener", type: "button", disabled: menu.disabled, "aria-haspopup": "listbox", "aria-expanded": "false" },
    shown,
  );
  opener.dataset.key = menu.id;
  const holder = el("div", { className: "choice" }, opener);
  let state = null;
  opener.addEventListener("click", () => {
    if (isOpen(opener)) leave(state);
    else state = open(menu, opener, holder);
  });
  return holder;
}

function isOpen(opener) {
  return opener.getAttribute("aria-expanded") === "true";
}

function open(menu, opener, holder) {
  const picked = new Set(menu.options.filter((option) => option.is_chosen).map((option) => option.value));
  const state = { menu, opener, holder, picked, at: -1 };
  state.list = el("ul", {
    role: "listbox",
    tabIndex: 0,
    "aria-label": menu.name,
    "aria-multiselectable": menu.most > 1 ? "true" : undefined,
    onkeydown: (event) => keyed(event, state),
  });
  state.items = menu.options.map((option, place) => item(option, place, state));
  state.list.append(...state.items);
  const done = el("button", { className: "button main", type: "button", onclick: () => finish(state) }, "Done");
  const popup = el("div", { className: "popup" }, state.list, menu.most > 1 ? done : null);
  popup.addEventListener("focusout", (event) => {
    if (!holder.contains(event.relatedTarget)) leave(state);
  });
  holder.append(popup);
  opener.setAttribute("aria-expanded", "true");
  point(state, Math.max(0, menu.options.findIndex((option) => picked.has(option.value))));
  state.list.focus();
  popup.scrollIntoView({ block: "nearest" });
  return state;
}

function item(option, place, state) {
  return el(
    "li",
    {
      id: newId("option"),
      role: "option",
      "aria-selected": String(state.picked.has(option.value)),
      onclick: () => pick(state, place),
    },
    el("span", {}, option.label),
    option.about ? el("small", {}, option.about) : null,
  );
}

function point(state, place) {
  state.at = place;
  state.items.forEach((one, number) => one.classList.toggle("at", number === place));
  if (!state.items[place]) return;
  state.list.setAttribute("aria-activedescendant", state.items[place].id);
  state.items[place].scrollIntoView({ block: "nearest" });
}

function pick(state, place) {
  point(state, place);
  const { menu, picked } = state;
  const value = menu.options[place].value;
  if (menu.most === 1) {
    const isAgain = picked.has(value) && !menu.least;
    picked.clear();
    if (!isAgain) picked.add(value);
    return finish(state);
  }
  if (picked.has(value)) picked.delete(value);
  else if (picked.size < menu.most) picked.add(value);
  state.items.forEach((one, number) =>
    one.setAttribute("aria-selected", String(picked.has(menu.options[number].value))),
  );
}

function keyed(event, state) {
  const to = moved(event.key, state.at, state.items.length);
  if (to !== null) point(state, to);
  else if (event.key === "Escape") close(state.opener, state.holder);
  else if (event.key === " ") pick(state, state.at);
  else if (event.key === "Enter") state.menu.most > 1 ? finish(state) : pick(state, state.at);
  else if (event.key.length === 1) point(state, begins(state, event.key));
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The next option that begins with a letter. */
function begins(state, letter) {
  const labels = state.menu.options.map((option) => option.label.toLowerCase());
  const order = labels.map((_, number) => (state.at + 1 + number) % labels.length);
  return order.find((number) => labels[number].startsWith(letter.toLowerCase())) ?? state.at;
}

function finish(state) {
  close(state.opener, state.holder);
  state.menu.done(state.opener, values(state));
}

function values({ menu, picked }) {
  return menu.options.map((option) => option.value).filter((value) => picked.has(value));
}

/** Somebody goes elsewhere: what was picked is taken, if it is another choice than before. */
function leave(state) {
  if (!isOpen(state.opener)) return;
  const before = state.menu.options.filter((option) => option.is_chosen).map((option) => option.value);
  const { picked, menu } = state;
  const isOther = before.length !== picked.size || before.some((value) => !picked.has(value));
  close(state.opener, state.holder, false);
  if (isOther && picked.size >= menu.least) menu.done(state.opener, values(state));
}

function close(opener, holder, focuses = true) {
  opener.setAttribute("aria-expanded", "false"); // first: what follows moves the focus, which closes too
  if (focuses) opener.focus();
  holder.querySelector(".popup")?.remove();
}
