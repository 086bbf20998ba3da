import type { JsonValue } from "../../lib/json.ts";
import { HistoryError } from "../errors.ts";

/** The location of a document. */
export interface DocumentLocation {
  readonly url: URL;
  /** The operator's own gateway may be anywhere; its redirects may not. */
  readonly isGateway: boolean;
}

type Content = { readonly [key: string]: JsonValue };

/** The link to a document in a token's content; `undefined` when everything is on chain. */
export function findDocumentLink({ url, uri }: Content): string | undefined {
  return [url, uri].find((each) => typeof each === "string" && each.trim() !== "") as string | undefined;
}

const maxLinkLength = 4096;

/** The URL of a link; refuses everything but http, https and ipfs. */
export function parseDocumentLink(link: string, gateway: string): DocumentLocation {
  const text = link.trim();
  if (text.length > maxLinkLength) throw refused(`a link of ${text.length} characters`);
  const ipfs = /^ipfs:\/\/(?:ipfs\/)?([^/?#]+)(\/[^?#]*)?$/i.exec(text);
  if (ipfs !== null) return { url: gatewayUrl(gateway, ipfs[1] ?? "", ipfs[2] ?? ""), isGateway: true };
  if (!URL.canParse(text)) throw refused(`"${text.slice(0, 100)}" is not a URL`);
  const url = new URL(text);
  checkUrl(url);
  return { url, isGateway: false };
}

/** Refuses URLs that must not be fetched. */
export function checkUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refused(`${url.protocol} links are not supported`);
  if (url.username !== "" || url.password !== "") throw refused("the URL contains credentials");
}

/** A path that leaves its folder would request something else from the gateway. */
function gatewayUrl(gateway: string, id: string, path: string): URL {
  if (!/^[A-Za-z0-9]+$/.test(id)) throw refused(`"${id.slice(0, 100)}" is not a content identifier`);
  if (hidesSeparator(path)) throw refused("the path contains an encoded slash, backslash or dot segment");
  const root = new URL(`${gateway.replace(/\/+$/, "")}/${id}`);
  const url = new URL(`${root.href}${path}`);
  if (url.pathname !== root.pathname && !url.pathname.startsWith(`${root.pathname}/`))
    throw refused("the path leaves its folder");
  return url;
}

/** Whether a gateway that decodes the path, once or more often, reads other parts in it than stand there. */
function hidesSeparator(path: string): boolean {
  const decoded = path.replace(/%(?:25)+/g, "%");
  const hidesDots = decoded !== path && decoded.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
  return hidesDots || /%(?:2f|5c|00)/i.test(decoded);
}

function refused(why: string): HistoryError {
  return new HistoryError("history/document", why, { data: { isFinal: true } });
}
