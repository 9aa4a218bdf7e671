// A button that copies beside each text that one may copy; without this file the text is there to be selected.
for (const text of document.querySelectorAll("details pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", () => {
    const done = () => {
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    };
    const select = () => getSelection().selectAllChildren(text);
    if (!navigator.clipboard) { select(); return; }
    navigator.clipboard.writeText(text.textContent).then(done, select);
  });
  text.before(button);
}
