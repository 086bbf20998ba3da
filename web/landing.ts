import { copyText } from "./browser/copyText.ts";
import { type Section, searchSections } from "./searchSections.ts";

/**
 * Runs on the pages that the server writes: adds copy buttons, keeps the start page up to date, and searches the
 * documentation.
 */

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

/** All sections of all documents, read when the search is first used. */
async function readSections(links: readonly HTMLAnchorElement[]): Promise<readonly Section[]> {
  const pages = await Promise.all(
    links.map(async ({ href }) => {
      const page = new DOMParser().parseFromString(await (await fetch(href)).text(), "text/html");
      return [...page.querySelectorAll("main :is(h1, h2, h3)")].map((heading): Section => {
        let text = "";
        for (let next = heading.nextElementSibling; next && !next.matches("h1, h2, h3"); next = next.nextElementSibling)
          text += ` ${next.textContent}`;
        const { pathname } = new URL(href);
        return {
          href: `${pathname}#${heading.id}`,
          title: heading.textContent,
          text: text.replace(/\s+/g, " ").trim(),
        };
      });
    }),
  );
  return pages.flat();
}

function addSearch(list: Element): void {
  const main = document.querySelector("main");
  if (main === null) return;
  const page = [...main.childNodes];
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Search the documentation";
  field.setAttribute("aria-label", field.placeholder);
  list.before(field);
  let sections: Promise<readonly Section[]> | undefined;
  field.addEventListener("input", async () => {
    // Without an answer nothing is found, and the next letter asks again.
    sections ??= readSections([...list.querySelectorAll("a")]).catch(() => {
      sections = undefined;
      return [];
    });
    const query = field.value.trim();
    const matches = searchSections(await sections, query);
    if (field.value.trim() !== query) return;
    const items = matches.map(({ section, excerpt }) => {
      const [item, link, words] = [
        document.createElement("li"),
        document.createElement("a"),
        document.createElement("p"),
      ];
      [link.href, link.textContent, words.textContent] = [section.href, section.title, excerpt];
      // A result on this page does not load it again.
      link.addEventListener("click", () => main.replaceChildren(...page));
      item.append(link, words);
      return item;
    });
    const found = document.createElement("ul");
    found.className = "found";
    found.append(...items);
    if (query === "") main.replaceChildren(...page);
    else main.replaceChildren(matches.length === 0 ? `Nothing found for ${query}.` : found);
  });
}

for (const code of document.querySelectorAll<HTMLElement>("main pre > code"))
  code.parentElement?.setAttribute("data-copy", "");
addCopyButtons(document);
const documents = document.querySelector("[data-documents]");
if (documents !== null) addSearch(documents);
// Retries when the server does not answer.
if (document.querySelector("[data-live]") !== null) setInterval(() => void refresh().catch(() => undefined), everyMs);
