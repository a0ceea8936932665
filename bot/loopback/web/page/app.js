// The table in a browser: joins the seat, the wire, the channel and the message box.

import { aloud } from "./aloud.js";
import { Box } from "./box.js";
import { byId, el } from "./dom.js";
import { backToDoor, forgetSeat, keep, openDoor, seatOfThisTab } from "./door.js";
import { openForm } from "./form.js";
import { Log } from "./log.js";
import { openMenu } from "./menu.js";
import { article } from "./message.js";
import { drawRoom, sayAway, titled } from "./room.js";
import { drawTable, sayWaiting, showTable } from "./table.js";
import { rings } from "./walk.js";
import { opening } from "./opening.js";
import { act, listen, Refused, sitAs } from "./wire.js";

const FAILED = "This interaction failed";
const PLACE = `place ${location.pathname}`;
const DRAFT = `draft ${location.pathname}`;

const state = { me: null, room: null, place: sessionStorage.getItem(PLACE), elsewhere: new Set(), calls: new Map(), waits: 0 };
const hasKeyboard = matchMedia("(hover: hover)");
let wire, log, box;

const draft = {
  read: () => sessionStorage.getItem(DRAFT) ?? "",
  write: (words) => sessionStorage.setItem(DRAFT, words),
};

/** What can be done with the messages and people that are shown. */
const acts = {
  of: (message) => ({
    ...acts,
    press: (opener, button) => doing("press", { ...at(message), button: button.id }, opener),
    choose: (opener, menu, values) => doing("choose", { ...at(message), menu: menu.id, values }, opener),
  }),
  isMe: (person) => person.id === state.me.id,
  type: (words) => box.type(`${words} `),
  jump: (event, link) => jump(event, link),
  named: (kind) => (kind === "people" ? named(state.room.people, "") : named(state.room.places.filter((p) => p.kind !== "talk"), "")),
  forPeople: () => state.room.long_presses.person,
  go: (place) => go(place),
  opening: () => opening({
    stories: async () => (await act("stories", { place: state.place })).stories,
    line: (line, opener) => doing("line", { line }, opener),
    watch: async () => go((await act("watch", { place: state.place })).place),
    telling,
  }),
  dismiss: (message) => doing("dismiss", at(message)),
  person: (person, opener, point) => openMenu(opener, forPerson(person), point),
  more: (message, opener, point) => openMenu(opener, forMessage(message), point),
};

/** Where a message is, which may be above the thread that is shown. */
function at(message) {
  return { place: message.place, message: message.id };
}

function named(all, note) {
  return all.map((one) => ({ label: one.name, value: one.id, about: note }));
}

function forMessage(message) {
  const own = state.room.long_presses.message.map((name) => [name, () => doing("long", { name, ...at(message) })]);
  const copy = ["Copy text", () => navigator.clipboard?.writeText(textOf(message))];
  const whom = [message.used?.by, message.author].find((one) => one && !one.is_bot);
  const rest = message.is_private ? [["Dismiss", () => acts.dismiss(message)]] : [];
  return [...own, ...(whom ? forPerson(whom) : []), copy, ...rest];
}

function forPerson(person) {
  return state.room.long_presses.person.map((name) => [`${name}: ${person.name}`, () => doing("long", { name, person: person.id })]);
}

function textOf(message) {
  return document.querySelector(`#m${CSS.escape(message.id)} .parts`)?.innerText ?? "";
}

/** Do something, show that it is being done, and what came of it. */
async function doing(name, data, opener) {
  if (opener?.getAttribute("aria-busy") === "true") return;
  opener?.setAttribute("aria-busy", "true");
  byId("pins").close(); // what comes of a press is told in the channel
  showTable(false);
  notice("");
  try {
    await telling(() => done(name, data));
  } finally {
    opener?.removeAttribute("aria-busy");
  }
}

/** Ask for something, wait for the answer and act on it. */
async function done(name, data, files) {
  const thinking = setTimeout(() => (byId("status").textContent = `${state.room.bot.name} is thinking…`), 250);
  try {
    const reply = await act(name, { place: state.place, ...data }, files);
    if (reply.form) openForm(reply.form, acts, (values, given) => submitted(reply.form, values, given));
    if (reply.failed) notice(`${FAILED}: ${reply.failed}`);
    return reply;
  } finally {
    clearTimeout(thinking);
    byId("status").textContent = "";
  }
}

async function submitted(form, values, files) {
  try {
    const reply = await act("submit", { place: state.place, form: form.id, values }, files);
    return reply.failed ? `${FAILED}: ${reply.failed}` : "";
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.message;
  }
}

/** Say what went wrong, until the next act. */
function notice(words) {
  const close = el("button", { type: "button", className: "link", onclick: () => (notice(""), byId("line").focus()) }, "Close");
  byId("notice").replaceChildren(...(words ? [el("span", {}, words), close] : []));
}

function jump(event, link) {
  event.preventDefault();
  const target = document.getElementById(`m${link.message}`);
  if (link.place !== state.place) return go(link.place);
  if (!target) return notice("That message is further up or was deleted.");
  byId("pins").close();
  target.scrollIntoView({ block: "center" });
  target.focus();
}

function go(place) {
  state.place = place;
  state.elsewhere.delete(place);
  state.calls.delete(place);
  sessionStorage.setItem(PLACE, place);
  showSide(false);
  wire.go(place);
  byId("line").focus();
}

function showSide(is) {
  byId("side").style.setProperty("top", `${document.querySelector(".bar").getBoundingClientRect().bottom}px`);
  byId("side").classList.toggle("open", is);
  byId("side-button").setAttribute("aria-expanded", String(is));
  if (is) byId("side").querySelector("button[aria-current]")?.focus();
}

/** News from the table. */
function heard(news) {
  if (news.kind === "all") all(news);
  else if (news.kind === "message") came(news.message, news.is_quiet);
  else if (news.kind === "gone") log.gone(news.id);
  else if (news.kind === "table") drawTable(news.message, acts);
  else if (news.kind === "waits") state.waits = news.count;
  else if (news.kind === "elsewhere") elsewhere(news);
  else if (news.kind === "room") state.room = news.room;
  if (news.kind === "room" || news.kind === "elsewhere") drawRoom(state.room, state, acts);
  tellWaiting();
}

function came(message, isQuiet) {
  log.put(message, isQuiet);
  if (document.hidden && message.is_to_me) called(message.place, message.id);
}

function elsewhere({ place, id, is_to_me: isToMe }) {
  state.elsewhere.add(place);
  if (!isToMe) return;
  called(place, id);
  const there = state.room.places.find((one) => one.id === place);
  if (there) aloud(`Something for you in ${there.name}.`);
}

/** Somebody has said something to this seat that it does not see yet. */
function called(place, id) {
  state.calls.set(place, (state.calls.get(place) ?? new Set()).add(id));
}

function tellWaiting() {
  const calls = [...state.calls.values()].reduce((sum, those) => sum + those.size, 0);
  sayWaiting(state.waits + calls, titled(state));
}

function all(news) {
  const isNewPlace = state.place !== news.place;
  Object.assign(state, { me: news.me, place: news.place, room: news.room });
  if (isNewPlace) sessionStorage.setItem(PLACE, news.place);
  keep(news.me.name, seatOfThisTab());
  const isFirst = byId("room").hidden;
  byId("room").hidden = false;
  drawRoom(state.room, state, acts);
  drawTable(news.table, acts);
  log.all(news.messages, news.is_all);
  if (isFirst && hasKeyboard.matches) byId("line").focus();
}

function stranger() {
  forgetSeat(state.me?.name);
  backToDoor("This seat is no longer yours.");
}

/** Do something whose refusal is told above the message box. */
async function telling(does) {
  try {
    await does();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    notice(error.message);
  }
}

async function showPins() {
  const { messages } = await act("pins", { place: state.place });
  const drawn = messages.map((message) => article(message, acts, "pin"));
  byId("pinned").replaceChildren(...(drawn.length ? drawn : [el("p", { className: "empty" }, "Nothing is pinned here.")]));
  byId("pins").showModal();
}

function newPlace() {
  const name = { id: "name", label: "Name", kind: "text", value: "", least: 1, most: 40, is_required: true };
  openForm({ title: "New channel", fields: [name] }, acts, async (values) => {
    try {
      go((await act("channel", values)).place);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return error.message;
    }
    return "";
  }, () => byId("line").focus());
}

async function leave() {
  await act("leave", {});
  forgetSeat(state.me.name);
  backToDoor("");
}

/** Sit down: from here on the table is shown. */
function enter(secret) {
  byId("door").remove();
  sitAs(secret);
  log ??= new Log(acts, (does) => telling(does), (before) => act("earlier", { place: state.place, before }));
  box ??= new Box({
    ask: (line) => act("offers", { line, place: state.place }),
    send: (line, files) => (notice(""), log.toEnd(), done("line", { line }, files)),
    notice,
    draft,
  });
  wire = listen({ place: () => state.place, heard, lost: () => sayAway("Connection lost. Reconnecting…"), stranger });
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || !state.room) return;
  state.calls.delete(state.place);
  tellWaiting();
});
byId("pins-button").addEventListener("click", () => telling(showPins));
byId("pins").querySelector("button").addEventListener("click", () => byId("pins").close());
rings(byId("pins"));
byId("skip").addEventListener("click", (event) => (event.preventDefault(), log.toNewest()));
document.addEventListener("keydown", (event) => {
  if (!event.ctrlKey || event.key !== "ArrowUp" || document.querySelector("dialog[open], .table.open")) return;
  event.preventDefault();
  log?.toNewest();
});
byId("new-place").addEventListener("click", newPlace);
byId("leave").addEventListener("click", () => telling(leave));
byId("side-button").addEventListener("click", () => showSide(!byId("side").classList.contains("open")));
byId("side").addEventListener("keydown", (event) => {
  if (event.key === "Escape") showSide(false), byId("side-button").focus();
});

const secret = seatOfThisTab();
if (secret) enter(secret);
else openDoor(enter);
