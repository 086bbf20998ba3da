import type { Cell } from "../../cell/Cell.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import { type Content, contentTexts, loadContent } from "../../model/content/Content.ts";
import { ContractError } from "../errors.ts";

/** What a token says of itself: known attributes by name. Values are text, numbers too (v3-indexing §9.1). */
export type TokenContent = Readonly<Record<string, string>>;

/** Reads a content cell; what begins neither as on-chain nor as off-chain content is refused. */
export function readTokenContent(cell: Cell): TokenContent {
  const content = loadContent(cell);
  const texts: Iterable<readonly [string, string]> =
    content.kind === "offchain" ? [["uri", content.uri]] : contentTexts(content.attributes);
  return Object.fromEntries(Array.from(texts, ([name, text]) => [name, text.replaceAll("\0", "")]));
}

/** Reads a content cell as it is; one that says it lies elsewhere, and not where, is refused as `contracts/no-uri`. */
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
