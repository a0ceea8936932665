// The pinned table: beside the chat where there is room, else one tap away; and what waits for this seat.

import { byId, onEscape } from "./dom.js";
import { swap } from "./message.js";
import { parts } from "./parts.js";
import { inOrder } from "./words.js";

const ROOMY = matchMedia("(min-width: 1100px)");
const PLAIN = "icon.svg";
const WAITING = "icon-waiting.svg";

/** Show the newest state of the pinned table; null where none is pinned. */
export function drawTable(message, acts) {
  const now = byId("table-now");
  byId("table").hidden = !message;
  byId("table-button").hidden = !message;
  byId("room").classList.toggle("has-table", Boolean(message));
  if (!message) return showTable(false), now.replaceChildren();
  const fresh = now.cloneNode(false);
  fresh.append(...parts(message.parts, acts.of(message)));
  swap(now, inOrder(fresh), byId("table-title"));
}

/** Open the table, or close it, where it is not beside the chat anyway. */
export function showTable(is) {
  const wasOpen = byId("table").classList.contains("open");
  byId("table").classList.toggle("open", is);
  cover(is && !ROOMY.matches);
  byId("table-button").setAttribute("aria-expanded", String(is));
  if (is) byId("table-title").focus();
  else if (wasOpen && !ROOMY.matches) byId("table-button").focus();
}

/** What the open table covers cannot be reached meanwhile. */
function cover(is) {
  for (const covered of document.querySelectorAll(".channel, .side")) covered.inert = is;
}

/** Say in the title, on the icon and on the button that so much waits for this seat. */
export function sayWaiting(count, title) {
  document.title = count ? `(${count}) ${title}` : title;
  byId("icon").href = count ? WAITING : PLAIN;
  byId("table-button").textContent = count ? `Table (${count})` : "Table";
  const badge = count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  badge?.catch(() => {}); // only a page that is installed has a badge
}

byId("table-button").addEventListener("click", () => showTable(!byId("table").classList.contains("open")));
byId("table-close").addEventListener("click", () => showTable(false));
ROOMY.addEventListener("change", () => showTable(false));
onEscape(byId("table"), () => showTable(false));
