// Taking a seat: which are free, which are this browser's own, and the secret of the one taken.

import { byId, el } from "./dom.js";
import { Refused, seats, sit } from "./wire.js";

const OWN = `seats ${location.pathname}`;
const WHY = `why ${location.pathname}`;
const TAKEN = `seat ${location.pathname}`;

function own() {
  return JSON.parse(localStorage.getItem(OWN) ?? "{}");
}

/** The secret of the seat that this tab has, if it has one: also one that came with the address. */
export function seatOfThisTab() {
  const given = location.hash.slice(1);
  if (given.split(".").length === 3) {
    history.replaceState(null, "", location.pathname);
    sessionStorage.setItem(TAKEN, given);
  }
  return sessionStorage.getItem(TAKEN);
}

/** This tab has no seat any more. */
export function forgetSeat(name) {
  sessionStorage.removeItem(TAKEN);
  if (name) keep(name, undefined);
}

/** This browser knows the secret of a seat, so that another tab can go on from it. */
export function keep(name, secret) {
  localStorage.setItem(OWN, JSON.stringify({ ...own(), [name]: secret }));
}

/** Start anew at the door, where it is said why. */
export function backToDoor(why) {
  sessionStorage.setItem(WHY, why);
  location.reload();
}

/** Let somebody take a seat; `taken(secret)` goes on from there. */
export async function openDoor(taken) {
  const notice = byId("door-notice");
  const go = (secret) => {
    sessionStorage.setItem(TAKEN, secret);
    taken(secret);
  };
  const take = async (name) => {
    try {
      go((await sit(name)).token);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notice.textContent = error.message;
    }
  };
  byId("door").hidden = false;
  notice.textContent = sessionStorage.getItem(WHY) ?? "";
  sessionStorage.removeItem(WHY);
  byId("new-seat").onsubmit = (event) => {
    event.preventDefault();
    take(byId("new-name").value);
  };
  try {
    drawSeats(await seats(), take, go);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    notice.textContent = error.message;
  }
}

function drawSeats(all, take, go) {
  const known = own();
  const made = all.map(({ name, is_taken: isTaken }) => {
    const mine = isTaken && known[name];
    const note = mine ? "continue" : isTaken ? "taken" : "";
    return el(
      "button",
      { className: "button", type: "button", disabled: isTaken && !mine, onclick: () => (mine ? go(mine) : take(name)) },
      el("span", {}, name),
      note ? el("small", {}, ` (${note})`) : null,
    );
  });
  byId("seats").replaceChildren(...made);
}
