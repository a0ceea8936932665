// What a channel shows while nothing has been said in it: three ways to begin.

import { el } from "./dom.js";

const DICE = "/roll dice:2d6 d8";

/** The three ways to begin; `acts` list the stories, send a line, and begin a scene to watch. */
export function opening(acts) {
  const title = el("h2", { tabIndex: -1 }, "What do you want to do?");
  const list = el("div", { className: "ways" });
  const made = el("section", { className: "empty opening" }, title, list, el("p", {}, "Or type / to see all commands."));
  const choose = async () => {
    const stories = await acts.stories();
    title.textContent = "Which story?";
    list.replaceChildren(...stories.map(({ label, about, line }) => way(label, about, (opener) => acts.line(line, opener))));
    title.focus();
  };
  list.append(
    way("Start from a story", "With characters and scenes ready to play", () => acts.telling(choose), "button main"),
    way("Roll some dice", "Try 2d6 d8 right now", (opener) => acts.line(DICE, opener)),
    way("Watch a scene", "Two players and a GM, played for you", () => acts.telling(acts.watch)),
  );
  return made;
}

function way(label, about, does, className = "button") {
  const words = [el("span", {}, label), about ? el("small", {}, about) : null];
  const made = el("button", { className, type: "button", onclick: () => does(made) }, words);
  return made;
}
