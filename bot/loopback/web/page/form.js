// A form of the bot as a dialog: its fields, sending it, and what is wrong with it.

import { byId, el, newId } from "./dom.js";
import { rings } from "./walk.js";
import { words } from "./words.js";

const BACK = "What you typed before has been restored.";
/** What was typed into forms that were closed by Escape, by their keys and fields. */
const kept = new Map();

/** Open a form; `send(values, files)` sends it and returns nothing, or the sentence why not; `after` it was sent. */
export function openForm(form, acts, send, after) {
  const dialog = byId("form");
  const opener = document.activeElement;
  const pressed = opener?.dataset?.key;
  const within = opener?.closest?.("article, section")?.id;
  const fields = form.fields.map((one) => field(one, acts));
  let isSent = false;
  const key = form.key ?? form.title;
  const begun = fields.map((one) => one.id && JSON.stringify(one.value()));
  const isBack = restore(fields, kept.get(key));
  const wrong = el("p", { className: "notice", role: "alert" });
  const sending = el("button", { className: "button main" }, "Submit");
  const cancel = el("button", { className: "button quiet", type: "button", onclick: () => dialog.close() }, "Cancel");
  const whole = el(
    "form",
    {},
    el("h2", { id: "form-title" }, form.title),
    isBack ? el("p", { id: "form-back" }, BACK) : null,
    fields.map((one) => one.drawn),
    wrong,
    el("div", { className: "row" }, sending, cancel),
  );
  whole.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { values, files } = read(fields);
    sending.disabled = true;
    wrong.textContent = "";
    const refused = await send(values, files);
    sending.disabled = false;
    isSent = !refused;
    if (refused) wrong.textContent = refused;
    else if (whole.isConnected) dialog.close();
  });
  dialog.replaceChildren(whole);
  dialog.toggleAttribute("aria-describedby", false);
  if (isBack) dialog.setAttribute("aria-describedby", "form-back");
  kept.delete(key);
  dialog.oncancel = () => {
    const changed = fields.filter((one, place) => one.id && JSON.stringify(one.value()) !== begun[place]);
    if (changed.length) kept.set(key, new Map(changed.map((one) => [one.id, one.value()])));
  };
  dialog.onclose = () => {
    dialog.replaceChildren();
    if (isSent && after) return after();
    // The browser has put the focus back already, and this comes a moment later: it may be elsewhere by now.
    const now = document.activeElement;
    if (now !== document.body && now !== opener) return;
    const again = pressed && document.getElementById(within)?.querySelector(`[data-key="${CSS.escape(pressed)}"]`);
    const target = opener?.isConnected && opener.offsetParent && opener !== document.body ? opener : again || byId("line");
    target.focus();
  };
  dialog.showModal();
  (whole.querySelector("input:not([type=hidden]), textarea, select") ?? sending).focus();
}

rings(byId("form"));

/** Put back what was typed before; whether there was anything. */
function restore(fields, typed) {
  const again = fields.filter((one) => typed?.has(one.id) && one.put);
  for (const one of again) one.put(typed.get(one.id));
  return again.length > 0;
}

function read(fields) {
  const values = {};
  const files = [];
  for (const one of fields) {
    if (!one.id) continue;
    values[one.id] = one.value();
    files.push(...(one.files?.() ?? []));
  }
  return { values, files };
}

function field(about, acts) {
  switch (about.kind) {
    case "note":
      return { drawn: el("div", { className: "text" }, words(about.nodes, acts)) };
    case "text":
      return text(about);
    case "checkbox":
      return tick(about);
    case "radio":
      return group(about, "radio", about.options);
    case "checkboxes":
      return group(about, "checkbox", about.options);
    case "file":
      return upload(about);
    default:
      return select(about, about.kind === "select" ? about.options : acts.named(about.kind === "user" ? "people" : "places"));
  }
}

function labelled(about, control) {
  control.id = newId("field");
  const note = about.about ? el("small", { id: newId("note") }, about.about) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  const label = el("label", { for: control.id }, about.label, about.is_required ? "" : " (optional)");
  return el("div", { className: "field" }, label, note, control);
}

function text(about) {
  const limits = { minlength: about.least || undefined, maxlength: about.most, required: about.is_required };
  const words = { placeholder: about.placeholder || undefined, autocomplete: "off" };
  const control = el(about.is_long ? "textarea" : "input", { ...limits, ...words, rows: about.is_long ? 8 : undefined });
  control.value = about.value ?? "";
  const put = (typed) => (control.value = typed);
  return { id: about.id, drawn: labelled(about, control), value: () => control.value, put };
}

function tick(about) {
  const control = el("input", { type: "checkbox", checked: Boolean(about.value) });
  const put = (is) => (control.checked = is);
  return { id: about.id, drawn: labelled(about, control), value: () => control.checked, put };
}

function select(about, options) {
  if (about.most > 1) return group(about, "checkbox", options);
  const chosen = about.value?.[0] ?? "";
  const empty = chosen && about.is_required ? [] : [el("option", { value: "" }, about.placeholder || "Choose")];
  const control = el(
    "select",
    { required: about.is_required },
    empty,
    options.map((one) => el("option", { value: one.value }, one.about ? `${one.label} · ${one.about}` : one.label)),
  );
  control.value = chosen;
  const put = (chosen) => (control.value = chosen[0] ?? "");
  return { id: about.id, drawn: labelled(about, control), value: () => (control.value ? [control.value] : []), put };
}

function group(about, type, options) {
  const name = newId("group");
  const chosen = new Set([about.value ?? []].flat());
  const controls = options.map((one) =>
    el("input", { type, name, value: one.value, checked: chosen.has(one.value), required: type === "radio" && about.is_required }),
  );
  const rows = options.map((one, number) =>
    el("label", { className: "option" }, controls[number], el("span", {}, one.label, one.about ? el("small", {}, ` ${one.about}`) : null)),
  );
  const none = type === "radio" && !about.is_required ? clear(controls) : null;
  const legend = el("legend", {}, about.label, about.is_required ? "" : " (optional)");
  const note = about.about ? el("small", {}, about.about) : null;
  const ticked = () => controls.filter((one) => one.checked).map((one) => one.value);
  return {
    id: about.id,
    drawn: el("fieldset", { className: "field" }, legend, note, rows, none),
    value: () => (type === "radio" ? (ticked()[0] ?? null) : ticked()),
    put: (values) => controls.forEach((one) => (one.checked = [values].flat().includes(one.value))),
  };
}

function clear(controls) {
  const does = () => controls.forEach((one) => (one.checked = false));
  return el("button", { type: "button", className: "link", onclick: does }, "Choose none");
}

function upload(about) {
  const control = el("input", { type: "file", multiple: about.most > 1, required: about.is_required });
  const files = () => [...control.files];
  return { id: about.id, drawn: labelled(about, control), value: () => files().map((one) => one.name), files };
}
