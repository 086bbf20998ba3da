import { describe, expect, it } from "vitest";
import type { Message, Transaction } from "../../web/api/types.ts";
import { nodeHeight, type TransactionNode } from "../../web/trace/model.ts";
import { nodeWidth, placeAll, widestColumn } from "../../web/trace/spots.ts";

const coin = "1000000000";

/** A node to which a message with this operation leads; the places of nodes depend on nothing else. */
function node(operation: string, value: string, children: readonly TransactionNode[] = []): TransactionNode {
  const message = { decoded_opcode: operation, value } as unknown as Message;
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
    expect([short, wide]).toEqual([110, 182]);
    const amount = "1234567890123456789";
    expect(gapsOf(node("start", coin, [node("ping", amount)]))).toEqual([widestColumn - nodeWidth]);
  });

  it("are never further from each other than the longest text that is shown", () => {
    expect(gapsOf(node("start", coin, [node("a".repeat(100), coin)]))).toEqual([182]);
  });
});
