import { formatJson, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { TokenType } from "../store/tables.ts";

/** Tokens that may have documents. */
export type DocumentType = Exclude<TokenType, "jetton_wallets">;

/** Displayed metadata of a token. */
export interface TokenFields {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly symbol: string | undefined;
  readonly image: string | undefined;
  readonly extra: JsonObject;
}

const fieldNames = ["name", "description", "symbol", "image"] as const;

/** On-chain content needs at least one of these to be complete. */
const sufficient: Readonly<Record<DocumentType, readonly string[]>> = {
  jetton_masters: ["symbol"],
  nft_items: ["name", "domain"],
  nft_collections: ["name", "description", "image"],
};

/** Whether on-chain content is complete without a document. */
export function isSufficient(type: DocumentType, content: JsonObject): boolean {
  return sufficient[type].some((key) => typeof content[key] === "string" && content[key] !== "");
}

/** Size limit of one stored document. A thousand of them may be in one answer, and anybody can name documents. */
const maxKeptLength = 262_144;

/** The properties that fit, small ones first, in their original order. */
function whatFits(document: JsonObject): readonly (readonly [string, JsonValue])[] {
  const sized = Object.entries(document).map((entry) => ({ entry, length: formatJson(entry).length }));
  let length = 0;
  const fitting = new Set(
    sized
      .toSorted((a, b) => a.length - b.length)
      .filter((each) => {
        length += each.length;
        return length <= maxKeptLength;
      }),
  );
  return sized.filter((each) => fitting.has(each)).map(({ entry }) => entry);
}

/** A document overlaid with on-chain content; other properties are unchanged. */
export function mergeMetadata(content: JsonObject, document: JsonObject = {}): TokenFields {
  const merged = new Map([...whatFits(document), ...Object.entries(content)]);
  const take = (name: (typeof fieldNames)[number]): string | undefined => {
    const value = merged.get(name);
    if (typeof value !== "string") return undefined;
    merged.delete(name);
    return value;
  };
  const [name, description, symbol, image] = fieldNames.map(take);
  return { name, description, symbol, image, extra: Object.fromEntries(merged) };
}
