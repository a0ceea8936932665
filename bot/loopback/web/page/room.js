// What is around the messages: places, people, pins, and whether the bot is there.

import { byId, el } from "./dom.js";
import { face } from "./message.js";
import { onLongPress } from "./menu.js";

/** What the page is called, but for how much waits. */
export function titled(state) {
  const place = state.room.places.find((one) => one.id === state.place);
  return place ? `${place.name} · ${state.me.name}` : "Local table";
}

/** Draw the room anew; what has the focus keeps it. */
export function drawRoom(room, state, acts) {
  const place = room.places.find((one) => one.id === state.place);
  byId("title").textContent = place?.name ?? "";
  byId("line").placeholder = place ? `Message ${place.name}` : "";
  byId("line").setAttribute("aria-label", byId("line").placeholder);
  byId("me").textContent = `You are ${state.me.name}`;
  byId("pins-button").textContent = room.pins ? `Pins (${room.pins})` : "Pins";
  sayAway(room.is_bot_here ? "" : `${room.bot.name} is offline. Waiting for it…`);
  fill("places", room.places.map((one) => placeItem(one, state, acts)));
  fill("people", [room.bot, ...room.people].map((one) => personItem(one, state, acts)));
}

/** Say who is away, or nothing. */
export function sayAway(words) {
  if (byId("away").textContent !== words) byId("away").textContent = words;
}

function fill(id, items) {
  const list = byId(id);
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  list.replaceChildren(...items);
  if (focused) list.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function placeItem(place, state, acts) {
  const news = state.calls.has(place.id) ? "for you" : state.elsewhere.has(place.id) ? "new" : "";
  const button = el(
    "button",
    {
      type: "button",
      className: `place is-${place.kind}`,
      "aria-current": place.id === state.place ? "true" : undefined,
      "data-key": place.id,
      onclick: () => acts.go(place.id),
    },
    el("span", {}, place.name),
    news ? el("small", { className: "new" }, news) : null,
  );
  return el("li", {}, button);
}

function personItem(person, state, acts) {
  const isHere = person.is_bot || person.is_here;
  const note = person.is_bot ? "app" : person.id === state.me.id ? "you" : isHere ? "" : "away";
  const inside = [face(person), el("span", {}, person.name), note ? el("small", {}, note) : null];
  if (person.is_bot || !acts.forPeople().length) return el("li", { className: "somebody" }, inside);
  const button = el(
    "button",
    { type: "button", className: "person somebody", "aria-haspopup": "menu", "aria-expanded": "false", "data-key": person.id },
    inside,
  );
  button.addEventListener("click", () => acts.person(person, button));
  onLongPress(button, (point) => acts.person(person, button, point));
  return el("li", {}, button);
}
