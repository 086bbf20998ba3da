import type { Cell } from "../cells/Cell.ts";
import { parseBag } from "../cells/parseBag.ts";
import { bytesToBase64 } from "../format/bytes.ts";

interface CellTree {
  readonly data: { readonly b64: string; readonly len: number };
  readonly refs: readonly CellTree[];
}

/** The root of a bag as the tree of objects that v2 takes. */
export function cellTreeOf(boc: string): CellTree | undefined {
  const [root] = parseBag(boc);
  return root === undefined ? undefined : treeOf(root);
}

function treeOf({ bytes, bitLength, refs }: Cell): CellTree {
  return { data: { b64: bytesToBase64(bytes), len: bitLength }, refs: refs.map(treeOf) };
}
