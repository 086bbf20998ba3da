/** Runs on the start page: keeps its facts up to date, and puts a button to copy beside what people copy. */

const everyMs = 2_000;

/** The server writes the page; what it would write now replaces the facts that are shown. */
async function refresh(): Promise<void> {
  const response = await fetch("/");
  if (!response.ok || document.visibilityState !== "visible") return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  const wanted = [...fresh.querySelectorAll("[data-live] dd")];
  const shown = [...document.querySelectorAll("[data-live] dd")];
  if (wanted.length !== shown.length) return;
  for (const [at, element] of shown.entries()) {
    const text = wanted[at]?.textContent ?? "";
    if (element.textContent !== text) element.textContent = text;
  }
}

function addCopyButtons(): void {
  for (const element of document.querySelectorAll<HTMLElement>("[data-copy]")) {
    const button = document.createElement("button");
    const text = element.textContent ?? "";
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy ${text.slice(0, 40)}`);
    button.addEventListener("click", () => {
      void navigator.clipboard?.writeText(text).then(() => {
        button.textContent = "Copied";
        setTimeout(() => {
          button.textContent = "Copy";
        }, 1_200);
      });
    });
    element.after(button);
  }
}

addCopyButtons();
// A server that is away is asked again.
setInterval(() => void refresh().catch(() => undefined), everyMs);
