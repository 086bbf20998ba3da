/** Runs on the start page: keeps its facts up to date and adds copy buttons. */

const everyMs = 2_000;

/** Fetches the page again from the server and replaces the facts. */
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
// Retries when the server does not answer.
setInterval(() => void refresh().catch(() => undefined), everyMs);
