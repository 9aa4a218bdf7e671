// The view for the projector: one step at a time, by keys; pictures and the verdict open when they are asked for.

const sections = [...document.querySelectorAll("section")];
const at = (id) => document.getElementById(id);
const found = (selector, within) => [...(within?.querySelectorAll(selector) ?? [])];
const only = (elements, shown) => elements.forEach((one, k) => one.classList.toggle("shown", k === shown));
const within = (low, number, high) => Math.max(low, Math.min(high, number));
let place = 0; // of the step
let picture = 0; // of the step's pictures; 0 is none
let mark = 0; // of the values of ε at which a picture is drawn

function open(name, on) {
  document.body.classList.toggle(`with-${name}`, on);
  at(name).setAttribute("aria-pressed", String(on));
}

function slide(number) {
  const frames = found(".view.shown .frame", sections[place]);
  mark = within(0, number, Math.max(0, frames.length - 1));
  only(frames, mark);
  at("dial").hidden = frames.length < 2;
  if (frames.length < 2) return;
  at("mark").max = frames.length - 1;
  at("mark").value = mark;
  at("at").textContent = frames[mark].dataset.at;
  at("mark").setAttribute("aria-valuetext", frames[mark].dataset.at);
}

function draw(number) {
  const views = found(".view", sections[place]);
  picture = number % (views.length + 1);
  only(views, picture - 1);
  open("picture", picture > 0);
  at("picture").textContent = picture ? `picture ${picture} of ${views.length} (p)` : "picture (p)";
  at("picture").disabled = !views.length;
  slide(mark);
}

function show(number) {
  place = within(0, number, sections.length - 1);
  mark = 0;
  only(sections, place);
  draw(0);
  open("verdict", false);
  at("place").textContent = `${place + 1} of ${sections.length}`;
  history.replaceState(null, "", `#step-${place + 1}`);
}

const back = () => show(place - 1);
const next = () => show(place + 1);
const verdict = () => open("verdict", !document.body.classList.contains("with-verdict"));
const KEYS = { ArrowRight: next, PageDown: next, ArrowLeft: back, PageUp: back, p: () => draw(picture + 1), v: verdict, "+": () => slide(mark + 1), "-": () => slide(mark - 1) };
document.addEventListener("keydown", (event) => {
  const work = event.ctrlKey || event.metaKey || event.altKey ? null : KEYS[event.key];
  if (!work || (event.target === at("mark") && event.key.length > 1)) return;
  event.preventDefault();
  work();
});
at("back").addEventListener("click", back);
at("next").addEventListener("click", next);
at("picture").addEventListener("click", KEYS.p);
at("verdict").addEventListener("click", verdict);
at("mark").addEventListener("input", () => slide(Number(at("mark").value)));
document.body.classList.add("alone");
show(Number(/^#step-(\d+)$/.exec(location.hash)?.[1] ?? 1) - 1);
