// A drawing of a page as a file: SVG, whose text stays text, or PNG; at a column's width, in the colours of print. Nothing is loaded.

const LOOK = [
  "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linejoin", "paint-order",
  "font-family", "font-size", "font-weight", "font-style", "text-anchor", "visibility",
];
const COLUMN = 88; // millimetres: the width of a column
const DOTS = 4; // dots of a PNG for each unit of a drawing: 600 for an inch of the column

/** Do some work in light colours, which are those of print; style sheets of the pages turn dark only without this mark. */
function inPrint(work) {
  const marked = [document.documentElement, document.body].map(({ dataset }) => [dataset, dataset.theme]);
  for (const [dataset] of marked) dataset.theme = "light";
  try {
    return work();
  } finally {
    for (const [dataset, theme] of marked) {
      if (theme === undefined) delete dataset.theme;
      else dataset.theme = theme;
    }
  }
}

/** The looks of an element that those around it do not give it already. */
function dress(made, look, around) {
  for (const name of LOOK) {
    made.removeAttribute(name);
    const value = look.getPropertyValue(name);
    if (value && value !== around?.getPropertyValue(name)) made.setAttribute(name, value);
  }
  made.removeAttribute("opacity");
  if (look.opacity !== "1") made.setAttribute("opacity", look.opacity);
  for (const name of ["class", "id", "style", "tabindex"]) made.removeAttribute(name);
}

/** The text of a drawing as a file of its own. */
export function printed(drawing) {
  const alone = drawing.cloneNode(true);
  const { x, y, width, height } = drawing.viewBox.baseVal;
  inPrint(() => {
    const made = [alone, ...alone.querySelectorAll("*")];
    const gone = [];
    [drawing, ...drawing.querySelectorAll("*")].forEach((one, k) => {
      if (one.matches("title, desc")) return;
      const look = getComputedStyle(one);
      if (look.display === "none") gone.push(made[k]);
      dress(made[k], look, one === drawing ? null : getComputedStyle(one.parentElement));
    });
    for (const one of gone) one.remove();
  });
  const paper = document.createElementNS(alone.namespaceURI, "rect");
  for (const [name, value] of Object.entries({ x, y, width, height, fill: "#fff", stroke: "none" })) paper.setAttribute(name, value);
  const head = [...alone.children].filter((one) => one.matches("title, desc")).pop();
  if (head) head.after(paper);
  else alone.prepend(paper);
  alone.setAttribute("width", `${COLUMN}mm`);
  alone.setAttribute("height", `${((COLUMN * height) / width).toFixed(1)}mm`);
  return new XMLSerializer().serializeToString(alone);
}

/** The drawing as dots, on a canvas of this page. */
async function dots(drawing) {
  const { width, height } = drawing.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(printed(drawing))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * DOTS), height: Math.round(height * DOTS) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

const KINDS = {
  SVG: (drawing) => new Blob([printed(drawing)], { type: "image/svg+xml" }),
  PNG: dots,
};

/** Two buttons, Save SVG and Save PNG, of the drawing that `find` returns when one is pressed. */
export const saves = (find, name, what) => Object.entries(KINDS).map(([kind, made]) => {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: `Save ${kind}` });
  button.setAttribute("aria-label", `Save ${what} as ${kind}`);
  button.addEventListener("click", async () => download(await made(find()), `${name}.${kind.toLowerCase()}`));
  return button;
});
