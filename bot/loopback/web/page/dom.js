// Elements are made here and nowhere else: from names, text and other elements, never from markup.

const PROPERTIES = new Set(["className", "textContent", "hidden", "disabled", "checked", "value", "tabIndex"]);

/** A new element: properties and attributes, `on…` for what it listens to, and what is inside. */
export function el(tag, about = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...inside.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return made;
}

/** The element with an id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Let Escape do something while the focus is within an element. */
export function onEscape(element, does) {
  element.addEventListener("keydown", (event) => event.key === "Escape" && does());
}

let count = 0;

/** An id that no other element has. */
export function newId(word) {
  count += 1;
  return `${word}-${count}`;
}

/** Move a choice with the arrow keys: the next place in a list of so many, or null for other keys. */
export function moved(key, at, size) {
  if (!size) return null;
  if (key === "ArrowDown") return (at + 1) % size;
  if (key === "ArrowUp") return at <= 0 ? size - 1 : at - 1;
  if (key === "Home") return 0;
  if (key === "End") return size - 1;
  return null;
}
