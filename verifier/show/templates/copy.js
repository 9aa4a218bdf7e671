// What can be taken away: each table as Markdown and LaTeX, each drawing as a file, each text with one press of a button.
// Without this file all of it stands in the page, to be read. No number is made here: texts of cells are moved.
const LATEX = {}; // the marks of the program's own LaTeX are written here
const STYLE = ""; // and the colours of a drawing that stands alone
const PROSE = 0; // and how long a cell is set as a paragraph
const SIGNED = {}; // the verdicts as they stand in a text
const VERDICTS = []; // and the heads of their columns

/** The text of a cell as the program had it: a line's end is a line's end, code stands in backticks. */
const text = (node) => [...node.childNodes].map((one) => (
  one.nodeType === Node.TEXT_NODE ? one.data
    : one.tagName === "BR" ? "\n"
      : one.tagName === "CODE" ? "`" + text(one) + "`" : text(one)
)).join("");

const set = (words) => {
  const marked = words.replace(/(?<![\p{L}\p{N}_])inf(?![\p{L}\p{N}_])/gu, "∞").replaceAll("B\u0302", "\0");
  const done = [...marked].map((mark) => LATEX[mark] ?? mark).join("");
  return done.startsWith("[") ? "{[}" + done.slice(1) : done;
};

/** A table with its title and its notes, as texts. */
const read = (box) => {
  const cells = (row) => [...row.cells].map(text);
  const table = box.querySelector("table");
  const below = box.nextElementSibling;
  const head = cells(table.tHead.rows[0]);
  return {
    title: table.caption ? text(table.caption) : "",
    head,
    rows: [...table.tBodies[0].rows].map((row) => cells(row).map((cell, k) => (VERDICTS.includes(head[k]) ? SIGNED[cell] ?? cell : cell))),
    notes: below?.matches("p.note.of") ? text(below).split("\n") : [],
  };
};

const plain = (words) => words.replaceAll("<", "&lt;");

const markdown = ({ title, head, rows, notes }) => {
  const line = (row) => "| " + row.map((cell) => plain(cell).replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ") + " |";
  return [...(title ? [`**${plain(title)}**\n`] : []), line(head), "|" + "---|".repeat(head.length), ...rows.map(line),
    ...notes.map((note) => "\n" + plain(note))].join("\n");
};

const latex = ({ title, head, rows }) => {
  const long = head.map((_, k) => Math.max(0, ...rows.map((row) => [...row[k]].length)) > PROSE);
  const width = Math.max(30, Math.floor(75 / Math.max(1, long.filter(Boolean).length)));
  const line = (row) => row.map(set).join(" & ").replaceAll("\n", " ") + " \\\\";
  return ["% needs \\usepackage{booktabs}" + (title ? "; " + title : ""),
    `\\begin{tabular}{${long.map((one) => (one ? `p{${width}ex}` : "l")).join("")}}`, "\\toprule", line(head), "\\midrule",
    ...rows.map(line), "\\bottomrule", "\\end{tabular}"].join("\n");
};

const make = (name, words = "") => Object.assign(document.createElement(name), { textContent: words });

const button = (words, pressed) => {
  const made = make("button", words);
  made.type = "button";
  made.addEventListener("click", () => pressed(made));
  return made;
};

/** A button that copies beside a text that one may copy. */
const copies = (shown) => shown.before(button("Copy", (pressed) => {
  const done = () => {
    pressed.textContent = "Copied";
    setTimeout(() => { pressed.textContent = "Copy"; }, 1500);
  };
  const select = () => getSelection().selectAllChildren(shown);
  if (!navigator.clipboard) { select(); return; }
  navigator.clipboard.writeText(shown.textContent).then(done, select);
}));

const shown = (words) => Object.assign(make("pre", words), { tabIndex: 0 });

/** Below a table: the same as Markdown and as LaTeX, made when it is opened. */
const offer = (box) => {
  const note = box.nextElementSibling?.matches("p.note.of") ? box.nextElementSibling : box;
  const found = note.nextElementSibling?.matches("details.copy") ? note.nextElementSibling : null;
  const place = found ?? Object.assign(make("details"), { className: "copy" });
  const title = box.querySelector("caption");
  const summary = make("summary", "Markdown, LaTeX");
  if (title) summary.append(Object.assign(make("span", ": " + title.textContent), { className: "hidden" }));
  const typeset = place.querySelector("pre")?.textContent;
  place.replaceChildren(summary);
  if (!found) note.after(place);
  place.addEventListener("toggle", () => {
    const table = read(box);
    for (const [name, words] of [["Markdown", markdown(table)], ["LaTeX", typeset ?? latex(table)]]) {
      const one = shown(words);
      place.append(make("p", name), one);
      copies(one);
    }
  }, { once: true });
};

/** A drawing as a file of its own, with its colours for light and dark. */
const save = (drawing, name) => {
  const alone = drawing.cloneNode(true);
  alone.querySelector("desc").insertAdjacentHTML("afterend", STYLE);
  const address = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(alone)], { type: "image/svg+xml" }));
  Object.assign(make("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

for (const one of document.querySelectorAll("details pre")) if (!one.closest("details.copy")) copies(one);
for (const box of document.querySelectorAll(".scroll:has(> table.r)")) offer(box);
for (const figure of document.querySelectorAll(".plots figure")) {
  const model = decodeURI(location.pathname).split("/").pop().replace(/\.html$/, "");
  figure.append(button("Save the drawing (SVG)", () => save(figure.querySelector("svg"), `${model}-${figure.className}.svg`)));
}
