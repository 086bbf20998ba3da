import type { JsonObject } from "../../lib/json.ts";
import type { TokenType } from "../store/schema/serviceTables.ts";
import { boundDocument } from "./boundDocument.ts";

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

/** A document overlaid with on-chain content, as far as it is stored; other properties are unchanged. */
export function mergeMetadata(content: JsonObject, document: JsonObject = {}): TokenFields {
  const whole = new Map([...Object.entries(document), ...Object.entries(content)]);
  const merged = new Map(Object.entries(boundDocument(Object.fromEntries(whole))));
  const take = (name: (typeof fieldNames)[number]): string | undefined => {
    const value = merged.get(name);
    if (typeof value !== "string") return undefined;
    merged.delete(name);
    return value;
  };
  const [name, description, symbol, image] = fieldNames.map(take);
  return { name, description, symbol, image, extra: Object.fromEntries(merged) };
}
