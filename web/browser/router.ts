import { useEffect, useState } from "preact/hooks";
import { neutral } from "../format/neutral.ts";

/** Where the explorer is mounted; must match the server and the bundler. */
export const base = "/explorer";

/** A location in the explorer: the path below the base, and the query. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const listeners = new Set<() => void>();

export function readPlace(): Place {
  const { pathname, search } = location;
  const below = pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
  return { path: below.replace(/\/+$/, "") || "/", query: readQuery(search) };
}

function readQuery(search: string): URLSearchParams {
  return new URLSearchParams(Array.from(new URLSearchParams(search), ([name, value]) => [name, neutral(value)]));
}

/** The URL of a page, for links. */
export function href(path: string): string {
  return `${base}${path === "/" ? "/" : path}`;
}

/** Opens a page and scrolls to its top. */
export function navigate(path: string): void {
  history.pushState(null, "", href(path));
  scrollTo(0, 0);
  tellAll();
}

/** Replaces the current URL, so that going back skips it. */
export function replacePlace(path: string): void {
  history.replaceState(null, "", href(path));
  tellAll();
}

function tellAll(): void {
  for (const listener of listeners) listener();
}

/** The current location. */
export function usePlace(): Place {
  const [position, setPlace] = useState(readPlace);
  useEffect(() => {
    const update = () => setPlace(readPlace());
    listeners.add(update);
    addEventListener("popstate", update);
    // Child effects run first, so a redirect of the first page happens before this.
    update();
    return () => {
      listeners.delete(update);
      removeEventListener("popstate", update);
    };
  }, []);
  return position;
}

/** Makes plain links navigate inside the explorer without a reload. */
export function catchLinks(): void {
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!isPlain || event.defaultPrevented || link === null || link.target !== "" || link.hasAttribute("download"))
      return;
    const url = new URL(link.href, location.href);
    const isInside = url.origin === location.origin && (url.pathname === base || url.pathname.startsWith(`${base}/`));
    if (!isInside || (url.hash !== "" && url.pathname === location.pathname)) return;
    event.preventDefault();
    navigate(`${url.pathname.slice(base.length) || "/"}${url.search}`);
  });
}
