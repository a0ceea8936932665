// The wire to the table: acts as requests, news over one socket that is opened anew when it breaks.

const AWAY = "No connection to the table. Try again in a moment.";
const STRANGER = 4001;
const PAUSES = [300, 600, 1000, 2000, 3000];

/** Something was not done, and why, in words. */
export class Refused extends Error {}

let token = "";

/** Who asks from now on. */
export function sitAs(secret) {
  token = secret;
}

async function sent(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "omit", ...options });
  } catch {
    throw new Refused(AWAY);
  }
  const body = await response.json().catch(() => ({ refused: `The table answered ${response.status}.` }));
  if (!response.ok) throw new Refused(body.refused ?? `The table answered ${response.status}.`);
  return body;
}

/** Do something from this seat; files go with it by their names. */
export function act(name, data, files = []) {
  const headers = { Authorization: `Seat ${token}` };
  if (!files.length) return sent(`do/${name}`, { method: "POST", headers, body: JSON.stringify(data) });
  const body = new FormData();
  body.append("data", JSON.stringify(data));
  for (const file of files) body.append("files", file, file.name);
  return sent(`do/${name}`, { method: "POST", headers, body });
}

/** The seats, and which are taken. */
export function seats() {
  return sent("seats", {});
}

/** Take a seat. */
export function sit(name) {
  return sent("seats", { method: "POST", body: JSON.stringify({ name }) });
}

/** Listen to the news from this seat: `place()` says which place is shown. */
export function listen({ place, heard, lost, stranger }) {
  let socket;
  let tries = 0;
  const open = () => {
    const address = new URL("live", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    address.hash = "";
    socket = new WebSocket(address);
    socket.onopen = () => socket.send(JSON.stringify({ token, place: place() }));
    socket.onmessage = (event) => {
      tries = 0;
      heard(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      if (event.code === STRANGER) return stranger();
      lost();
      setTimeout(open, PAUSES[Math.min(tries, PAUSES.length - 1)]);
      tries += 1;
    };
  };
  open();
  return {
    go: (where) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ place: where })),
  };
}
