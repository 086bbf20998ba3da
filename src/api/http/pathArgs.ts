import { ApiError } from "../declare/errors.ts";

/** The path of a URL: arguments by name, and a key. */
export interface PathArgs {
  readonly args: Readonly<Record<string, string>> | undefined;
  readonly key?: string;
}

export type ReadPath = (url: string) => PathArgs;

const nothing: PathArgs = { args: undefined };

/**
 * Reads the arguments that a path such as `block/{seqno}` holds; those of a path without any are read without looking.
 */
export function pathReader(base: string, path: string): ReadPath {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const isKeyless = (url: string) => !url.startsWith(`${base}/k/`);
  if (names.length === 0) return (url) => (isKeyless(url) ? nothing : { ...nothing, ...readKey(base, url) });
  const parts = path.split("/");
  const places = parts.flatMap((part, at) => (part.startsWith("{") ? [at] : []));
  return (url) => {
    const end = url.indexOf("?");
    const given = url.slice(base.length + 1, end === -1 ? undefined : end).split("/");
    const words = isKeyless(url) ? given : given.slice(2);
    const args = Object.fromEntries(places.map((at, i) => [names[i] ?? "", decodePart(words[at] ?? "")]));
    return isKeyless(url) ? { args } : { args, ...readKey(base, url) };
  };
}

/** The key in a path such as `/api/v4/k/<key>/block/watch`, as it is written there, and the path without it. */
export function readPathKey(
  base: string | undefined,
  path: string,
): { readonly key: string; readonly path: string } | undefined {
  const rest = base !== undefined && path.startsWith(`${base}/k/`) ? path.slice(base.length + 3) : undefined;
  const end = rest?.indexOf("/") ?? -1;
  if (base === undefined || rest === undefined || end < 1) return undefined;
  return { key: rest.slice(0, end), path: `${base}${rest.slice(end)}` };
}

function readKey(base: string, url: string): { readonly key: string } {
  return { key: decodePart(/^[^/?]*/.exec(url.slice(base.length + 3))?.[0] ?? "") };
}

export function decodePart(text: string): string {
  try {
    return text.includes("%") ? decodeURIComponent(text) : text;
  } catch (cause) {
    throw new ApiError("api/url", "bad percent-encoding", { cause });
  }
}
