import { copyText } from "./browser/copyText.ts";

/** Runs on the start page: keeps its facts and accounts up to date and adds copy buttons. */

const everyMs = 2_000;

/** Fetches the page again from the server and replaces what changed. */
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
  showAccounts(fresh);
}

/** The demo set is made while the page may be open already. */
function showAccounts(fresh: Document): void {
  const [wanted, shown] = [fresh, document].map((each) => each.querySelector("[data-accounts]"));
  if (!wanted || !shown || wanted.childElementCount === shown.childElementCount) return;
  shown.replaceChildren(...wanted.childNodes);
  addCopyButtons(shown);
}

function addCopyButtons(place: ParentNode): void {
  for (const element of place.querySelectorAll<HTMLElement>("[data-copy]")) {
    const button = makeCopyButton(element.textContent ?? "");
    if (element.matches("pre")) element.append(button);
    else (element.closest("a") ?? element).after(button);
  }
}

function makeCopyButton(text: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${text.slice(0, 40)}`);
  button.addEventListener("click", () => {
    void copyText(text).then(() => {
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1_200);
    });
  });
  return button;
}

addCopyButtons(document);
// Retries when the server does not answer.
setInterval(() => void refresh().catch(() => undefined), everyMs);
