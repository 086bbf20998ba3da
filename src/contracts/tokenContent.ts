import type { Cell } from "../cell/Cell.ts";
import { contentTexts, loadContent } from "../model/Content.ts";

/** What a token says of itself: known attributes by name. Values are text, numbers too (v3-indexing §9.1). */
export type TokenContent = Readonly<Record<string, string>>;

/** Reads a content cell; what begins neither as on-chain nor as off-chain content is refused. */
export function readTokenContent(cell: Cell): TokenContent {
  const content = loadContent(cell);
  const texts: Iterable<readonly [string, string]> =
    content.kind === "offchain" ? [["uri", content.uri]] : contentTexts(content.attributes);
  return Object.fromEntries(Array.from(texts, ([name, text]) => [name, text.replaceAll("\0", "")]));
}
