import { formatJson, type JsonValue } from "../../lib/json.ts";
import type { TokenType } from "../store/tables.ts";

/** A JSON object: what a token says of itself, or the document it names. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** Tokens that may have documents. */
export type DocumentType = Exclude<TokenType, "jetton_wallets">;

/** What is shown of a token. */
export interface TokenFields {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly symbol: string | undefined;
  readonly image: string | undefined;
  readonly extra: JsonObject;
}

const fieldNames = ["name", "description", "symbol", "image"] as const;

/** What on-chain content must have at least one of to stand alone. */
const sufficient: Readonly<Record<DocumentType, readonly string[]>> = {
  jetton_masters: ["symbol"],
  nft_items: ["name", "domain"],
  nft_collections: ["name", "description", "image"],
};

/** Whether on-chain content says enough without a document. */
export function isSufficient(type: DocumentType, content: JsonObject): boolean {
  return sufficient[type].some((key) => typeof content[key] === "string" && content[key] !== "");
}

/** What is kept of one document. A thousand of them may stand in one answer, and anybody can name documents. */
const maxKeptLength = 262_144;

/** The properties that there is room for, the small ones first; they stay in their order. */
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

/** A document with what stands on the chain laid over it; what is no field of its own is left as it is. */
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
