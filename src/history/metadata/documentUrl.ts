import type { JsonValue } from "../../lib/json.ts";
import { HistoryError } from "../errors.ts";

/** Where a document is. */
export interface DocumentPlace {
  readonly url: URL;
  /** The operator's own gateway, which may stand anywhere; where it leads on to may not. */
  readonly isGateway: boolean;
}

type Content = { readonly [key: string]: JsonValue };

/** The link to a document in what a token says of itself; none when everything is on the chain. */
export function findDocumentLink({ url, uri }: Content): string | undefined {
  return [url, uri].find((each) => typeof each === "string" && each.trim() !== "") as string | undefined;
}

const maxLinkLength = 4096;

/** Where a link leads; refuses what is neither http, https nor ipfs. */
export function parseDocumentLink(link: string, gateway: string): DocumentPlace {
  const text = link.trim();
  if (text.length > maxLinkLength) throw refused(`a link of ${text.length} characters`);
  const ipfs = /^ipfs:\/\/(?:ipfs\/)?([^/?#]+)(\/[^?#]*)?$/i.exec(text);
  if (ipfs !== null) return { url: gatewayUrl(gateway, ipfs[1] ?? "", ipfs[2] ?? ""), isGateway: true };
  if (!URL.canParse(text)) throw refused(`"${text.slice(0, 100)}" is no link`);
  const url = new URL(text);
  checkUrl(url);
  return { url, isGateway: false };
}

/** Refuses what may not be asked for by HTTP. */
export function checkUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refused(`links of ${url.protocol} are not followed`);
  if (url.username !== "" || url.password !== "") throw refused("a link with a name or password in it");
}

/** A path that climbs out of its folder would ask the gateway for something else. */
function gatewayUrl(gateway: string, id: string, path: string): URL {
  if (!/^[A-Za-z0-9]+$/.test(id)) throw refused(`"${id.slice(0, 100)}" is no content identifier`);
  const root = new URL(`${gateway.replace(/\/+$/, "")}/${id}`);
  const url = new URL(`${root.href}${path}`);
  if (url.pathname !== root.pathname && !url.pathname.startsWith(`${root.pathname}/`))
    throw refused("a path that leads out of its folder");
  return url;
}

function refused(why: string): HistoryError {
  return new HistoryError("history/document", why, { data: { isFinal: true } });
}
