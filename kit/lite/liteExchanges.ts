import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A line of a recording, described in `realnet/README.md` of the corpus. */
export interface LiteExchange {
  readonly group: string;
  readonly note?: string;
  /** Hex of `liteServer.query` around the query. */
  readonly request: string;
  /** Base64 of the answer; null if the server sent none. */
  readonly response: string | null;
  readonly request_json?: { readonly "@type": string; readonly calls: readonly unknown[] } | null;
  readonly response_json?: { readonly "@type": string } | null;
}

export function readLiteExchanges(file: string): readonly LiteExchange[] {
  return gunzipSync(readFileSync(file))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LiteExchange);
}
