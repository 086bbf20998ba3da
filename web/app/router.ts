import { useEffect, useState } from "preact/hooks";

/** Where the explorer is mounted; the server and the bundler say the same. */
export const base = "/explorer";

/** A place in the explorer: the path below the base, and its query. */
export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const listeners = new Set<() => void>();

export function readPlace(): Place {
  const { pathname, search } = location;
  const below = pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
  return { path: below.replace(/\/+$/, "") || "/", query: new URLSearchParams(search) };
}

/** The address of a page, for links. */
export function href(path: string): string {
  return `${base}${path === "/" ? "/" : path}`;
}

/** Goes to a page and puts the reader at its top. */
export function navigate(path: string): void {
  history.pushState(null, "", href(path));
  scrollTo(0, 0);
  tellAll();
}

/** Puts another address in place of this one, so that going back skips it. */
export function replacePlace(path: string): void {
  history.replaceState(null, "", href(path));
  tellAll();
}

function tellAll(): void {
  for (const listener of listeners) listener();
}

/** The place that is shown now. */
export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const update = () => setPlace(readPlace());
    listeners.add(update);
    addEventListener("popstate", update);
    // A redirect of the first page runs before this: what is inside comes first.
    update();
    return () => {
      listeners.delete(update);
      removeEventListener("popstate", update);
    };
  }, []);
  return place;
}

/** Lets plain links move inside of the explorer without loading it anew. */
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
