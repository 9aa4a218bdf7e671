// What a page of the site needs beside the theme: it works without this file.
"use strict";

// From a file:// address a page may not read another one, so the search shows titles alone.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// What scrolls sideways can be reached and scrolled with the keyboard.
function reachable() {
  for (const box of document.querySelectorAll(".table-wrapper, .highlight pre, pre.literal-block, .formula")) {
    if (box.scrollWidth > box.clientWidth) {
      box.tabIndex = 0;
      if (!box.hasAttribute("role")) {
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", "scrolls sideways");
      }
    } else {
      box.removeAttribute("tabindex");
    }
  }
}

// Below each drawing, what saves it; the page has the script that makes the buttons (save.js) if it has drawings.
function savable() {
  document.querySelectorAll("article figure:has(> svg)").forEach((figure, k) => {
    const drawing = figure.querySelector("svg"), title = drawing.querySelector("title").textContent;
    const page = decodeURI(location.pathname).split("/").pop().replace(/\.html$/, "") || "index";
    figure.append(...saves(() => drawing, `pkdp-${page}-${k + 1}`, `the drawing “${title}”`));
  });
}

document.addEventListener("DOMContentLoaded", reachable);
document.addEventListener("DOMContentLoaded", savable);
addEventListener("resize", reachable);
