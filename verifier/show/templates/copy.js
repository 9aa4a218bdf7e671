// What can be taken away: each table as Markdown and LaTeX, each drawing as a file, each text with one press of a button;
// and a field that filters a long page. Without this file all of it stands in the page, to be read. No number is made here: texts of cells are moved.
const LATEX = {}; // the marks of the program's own LaTeX are written here
const JOINED = ""; // and which pieces of a line of LaTeX are one formula
const PROSE = 0; // and how long a cell is set as a paragraph
const SIGNED = {}; // the verdicts as they stand in a text

/** The text of a cell as the program had it: a line's end is a line's end, code stands in backticks. */
const text = (node) => [...node.childNodes].map((one) => (
  one.nodeType === Node.TEXT_NODE ? one.data
    : one.tagName === "BR" ? "\n"
      : one.tagName === "CODE" ? "`" + text(one) + "`" : text(one)
)).join("");

const set = (words) => {
  const marked = words.replace(/(?<![\p{L}\p{N}_])inf(?![\p{L}\p{N}_])/gu, "∞").replaceAll("B\u0302", "\0");
  const pieces = [...marked].map((mark) => LATEX[mark] ?? mark).join("");
  const done = pieces.replace(new RegExp(JOINED, "g"), (one) => (
    "$" + one.replaceAll("$", "").replaceAll("\\_", "_").replaceAll("ln(", "\\ln(") + "$"
  ));
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
    rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => SIGNED[cell.className] ?? text(cell))),
    notes: below?.matches("p.note.of") ? text(below).split("\n") : [],
  };
};

const plain = (words) => words.replaceAll("<", "&lt;");

const markdown = ({ title, head, rows, notes }) => {
  const line = (row) => "| " + row.map((cell) => plain(cell).replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ") + " |";
  return [...(title ? [`**${plain(title)}**\n`] : []), line(head), "|" + "---|".repeat(head.length), ...rows.map(line),
    ...notes.map((note) => "\n" + plain(note))].join("\n");
};

/** The table in LaTeX; `typeset` has each cell that is a number in math mode, row by row, and nothing for a text. */
const latex = ({ title, head, rows }, typeset) => {
  const number = (row, k) => typeset[row * head.length + k];
  const length = (row, cell, k) => (number(row, k) ? 0 : [...cell].length);
  const long = head.map((_, k) => Math.max(0, ...rows.map((cells, row) => length(row, cells[k], k))) > PROSE);
  const width = Math.max(30, Math.floor(75 / Math.max(1, long.filter(Boolean).length)));
  const line = (cells, row) => cells.map((cell, k) => (number(row, k) ? `$${number(row, k)}$` : set(cell)))
    .join(" & ").replaceAll("\n", " ") + " \\\\";
  return ["% needs \\usepackage{booktabs}" + (title ? "; " + title : ""),
    `\\begin{tabular}{${long.map((one) => (one ? `p{${width}ex}` : "l")).join("")}}`, "\\toprule", line(head, -1), "\\midrule",
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

/** Below a table: the same as Markdown and as LaTeX, made when it is opened. */
const offer = (box) => {
  const note = box.nextElementSibling?.matches("p.note.of") ? box.nextElementSibling : box;
  const typeset = note.nextElementSibling?.matches("template") ? note.nextElementSibling.content.textContent.split("\n") : [];
  const copied = Object.assign(make("details"), { className: "copy" });
  const title = box.querySelector("caption");
  const summary = make("summary", "Markdown, LaTeX");
  if (title) summary.append(Object.assign(make("span", ": " + title.textContent), { className: "hidden" }));
  copied.append(summary);
  note.after(copied);
  copied.addEventListener("toggle", () => {
    const table = read(box);
    for (const [name, words] of [["Markdown", markdown(table)], ["LaTeX", latex(table, typeset)]]) {
      const block = Object.assign(make("pre", words), { tabIndex: 0 });
      copied.append(make("p", name), block);
      copies(block);
    }
  }, { once: true });
};

/** What a filter hides: a claim, a model or a definition, each with the heading of its section as its words, too.
 *  A number is found whole: `Example 1` is not Example 10, and no part of a fraction. */
const units = (main) => [...main.querySelectorAll(
  "table:not(.r) > tbody, table.r > tbody > tr, article.definition, nav.cards li, dt[id]",
)].map((unit) => {
  const meaning = unit.matches("dt") ? [unit.nextElementSibling] : [];
  const heading = unit.closest("section")?.querySelector("h2")?.textContent ?? "";
  const parts = [unit, ...meaning];
  const words = [heading, ...parts.map((part) => part.textContent)].join(" ").toLowerCase();
  return { parts, words, numbers: new Set(words.match(/(?<![\d./])\d+(?![\d./])/g)) };
});

/** A field above a long page: what lacks one of its words is hidden, and so is a section or a table with nothing left. */
const filter = (main) => {
  const all = units(main);
  const frames = [...main.querySelectorAll(":scope > section, .scroll, nav.cards > div")].filter(
    (frame) => all.some(({ parts }) => frame.contains(parts[0])),
  );
  const folds = [...main.querySelectorAll("details:not(.copy)")].filter((fold) => all.some(({ parts }) => fold.contains(parts[0])));
  const form = Object.assign(make("form"), { className: "filter" });
  const field = Object.assign(make("input"), { type: "search", id: "filter", autocomplete: "off" });
  const count = make("output");
  form.setAttribute("role", "search");
  count.setAttribute("for", "filter");
  form.append(Object.assign(make("label", `Filter ${main.dataset.filter}`), { htmlFor: "filter" }), field, count);
  form.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const left = all.filter(({ parts, words, numbers }) => {
      const fits = wanted.every((word) => (/^\d+$/.test(word) ? numbers.has(word) : words.includes(word)));
      for (const part of parts) part.hidden = !fits;
      return fits;
    });
    for (const frame of frames) frame.hidden = !left.some(({ parts }) => frame.contains(parts[0]));
    for (const fold of folds) fold.open = wanted.length > 0 && left.some(({ parts }) => fold.contains(parts[0]));
    count.textContent = wanted.length ? `${left.length} of ${all.length}` : "";
  });
  main.prepend(form);
};

for (const main of document.querySelectorAll("main[data-filter]")) filter(main);
for (const one of document.querySelectorAll("details pre")) if (!one.closest("details.copy")) copies(one);
for (const box of document.querySelectorAll(".scroll:has(> table.r)")) offer(box);
for (const figure of document.querySelectorAll("figure:has(> svg)")) {
  const model = decodeURI(location.pathname).split("/").pop().replace(/\.html$/, "");
  figure.append(...saves(() => figure.querySelector("svg"), `${model}-${figure.className}`, "the drawing"));
}
