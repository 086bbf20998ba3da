import { CellKind } from "../../cell/base/CellKind.ts";
import { readBoc, writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { makeProofCell } from "../../cell/exotic.ts";
import { openMerkleProof } from "../../cell/merkle/merkleProof.ts";
import { concatBytes } from "../../lib/bytes.ts";
import { LocalnetError } from "../errors.ts";
import { decodeFacts, encodeFacts, type ForkFacts } from "./ForkFacts.ts";

/** What a fork has of its origin: which blocks it continues, a whole block, or cells of its states. */
export type ForkRecord =
  | { readonly kind: "facts"; readonly facts: ForkFacts }
  | { readonly kind: "block"; readonly bytes: Uint8Array }
  | { readonly kind: "account" | "cells"; readonly cells: readonly Cell[] };

const kinds = ["facts", "block", "account", "cells"] as const;

/** A record as bytes: its kind, then a block or a bag. */
export function encodeForkRecord(record: ForkRecord): Uint8Array {
  return concatBytes([Uint8Array.of(kinds.indexOf(record.kind)), contentOf(record)]);
}

function contentOf(record: ForkRecord): Uint8Array {
  if (record.kind === "facts") return encodeFacts(record.facts);
  if (record.kind === "block") return record.bytes;
  // A part of a tree is valid below a Merkle cell only.
  return writeBoc(record.cells.map((cell) => (cell.levelMask === 0 ? cell : makeProofCell(cell))));
}

export function decodeForkRecord(bytes: Uint8Array): ForkRecord {
  const kind = kinds[bytes[0] ?? kinds.length];
  if (kind === undefined) throw new LocalnetError("localnet/data", "a record of an unknown kind");
  const content = bytes.subarray(1);
  if (kind === "facts") return { kind, facts: decodeFacts(content) };
  if (kind === "block") return { kind, bytes: content };
  const cells = readBoc(content).map((root) => (root.kind === CellKind.merkleProof ? openMerkleProof(root) : root));
  return { kind, cells };
}
