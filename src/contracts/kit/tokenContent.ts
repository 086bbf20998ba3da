import type { Cell } from "../../cell/Cell.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import { type Content, contentTexts, loadContent } from "../../model/content/Content.ts";
import { ContractError } from "./errors.ts";

/** The content of a token: known attributes by name. All values are text, also numbers (v3-indexing §9.1). */
export type TokenContent = Readonly<Record<string, string>>;

/** Reads a content cell; refuses content that is neither on-chain nor off-chain. */
export function readTokenContent(cell: Cell): TokenContent {
  const content = loadContent(cell);
  const texts: Iterable<readonly [string, string]> =
    content.kind === "offchain" ? [["uri", content.uri]] : contentTexts(content.attributes);
  return Object.fromEntries(Array.from(texts, ([name, text]) => [name, text.replaceAll("\0", "")]));
}

/** Reads a content cell loosely; off-chain content without a URI is refused as `contracts/no-uri`. */
export function loadTokenContent(cell: Cell): Content {
  try {
    return loadContent(cell);
  } catch (cause) {
    if (!isCoded(cause, "model/value") || sliceOf(cell).loadUint(8) !== offchainTag) throw cause;
    throw new ContractError("contracts/no-uri", `content that lies elsewhere: ${cause.message}`, { cause });
  }
}

// offchain#01 uri:Text = FullContent;
const offchainTag = 1;
