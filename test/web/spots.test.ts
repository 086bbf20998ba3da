import { describe, expect, it } from "vitest";
import type { Message, Transaction } from "../../web/api/types.ts";
import { nodeHeight, type TransactionNode } from "../../web/trace/model.ts";
import { fitScale, nodeWidth, placeAll, widestColumn } from "../../web/trace/spots.ts";

const coin = "1000000000";

/** A node to which a message with this operation leads; the places of nodes depend on nothing else. */
function node(operation: string, value: string, children: readonly TransactionNode[] = []): TransactionNode {
  const message = { opcode: "0x5fcc3d14", decoded_opcode: operation, source: "0:A", value } as unknown as Message;
  const transaction = {} as Transaction;
  return { kind: "transaction", id: operation, transaction, outcome: "good", message, height: nodeHeight, children };
}

/** The distance of each column from the one before, next to the width of a node. */
function gapsOf(root: TransactionNode): number[] {
  const columns = [...new Set(placeAll(root).map(({ x }) => x))].toSorted((a, b) => a - b);
  return columns.slice(1).map((x, at) => x - (columns[at] ?? 0) - nodeWidth);
}

describe("the columns of a trace", () => {
  it("are as far from each other as the longest text between them needs", () => {
    const long = node("nft_ownership_assigned", coin);
    const [short, wide] = gapsOf(node("start", coin, [node("ping", coin, [long, node("pong", coin)])]));
    expect([short, wide]).toEqual([110, 206]);
    const amount = "1234567890123456789";
    expect(gapsOf(node("start", coin, [node("ping", amount)]))).toEqual([205]);
  });

  it("have room for an opcode that has no name, whose digits are wider than letters", () => {
    const unknown = { opcode: "0x8d8ef068", decoded_opcode: null, value: coin, init_state: null, source: "0:AA" };
    const child = { ...node("", coin), message: unknown as unknown as Message };
    // The text is "Operation 0x8d8ef068": 20 letters, which take less than 50 + 20 × 7.5 pixels with the bare part of
    // the edge.
    expect(gapsOf(node("start", coin, [child]))).toEqual([187]);
  });

  it("are never further from each other than the longest text that is shown", () => {
    expect(gapsOf(node("start", coin, [node("m".repeat(100), coin)])).map((gap) => gap + nodeWidth)).toEqual([
      widestColumn,
    ]);
  });

  it("are made smaller so that the last one is not cut, and are scrolled when they would be unreadable", () => {
    expect([fitScale(900, 1_000), fitScale(1_250, 1_000), fitScale(1_440, 1_000)]).toEqual([1, 0.8, 1]);
  });
});
