import { describe, expect, it } from "vitest";
import type { Transaction } from "../../web/api/types.ts";
import { fold, foldBeyond } from "../../web/trace/fold.ts";
import { listNodes, type PictureNode, type TransactionNode } from "../../web/trace/model.ts";

let count = 0;

/** A node with its own code or one shared with others. */
function node(code: string, children: readonly PictureNode[] = [], isFailed = false): TransactionNode {
  count += 1;
  // The fold only looks at the code; the rest of a transaction is left out.
  const transaction = { hash: `hash ${count}`, account_state_after: { code_hash: code } } as unknown as Transaction;
  return {
    kind: "transaction",
    id: `node ${count}`,
    transaction,
    outcome: isFailed ? "failed" : "good",
    message: undefined,
    height: 10,
    children,
  };
}

const many = (size: number, code = "wallet") => Array.from({ length: size }, () => node(code));
const kinds = (root: PictureNode) =>
  root.children.map((each) => (each.kind === "fold" ? each.members.length : each.kind));

describe("folding a trace", () => {
  it("leaves a small trace unchanged", () => {
    const root = node("root", many(foldBeyond - 1));
    expect(fold(root, new Set())).toBe(root);
  });

  it("draws similar siblings as one and keeps those that differ: a failing one is never hidden", () => {
    const failing = node("wallet", [], true);
    const root = node("root", [...many(40), node("other"), failing, ...many(40)]);
    const folded = fold(root, new Set());
    expect(kinds(folded)).toEqual([80, "transaction", "transaction"]);
    expect(folded.children[2]).toMatchObject({ id: failing.id });
  });

  it("compares everything below: subtrees that differ deep down stay apart", () => {
    const deep = (code: string) => node("a", [node("b", [node(code)])]);
    const root = node("root", [...Array.from({ length: 30 }, () => deep("c")), deep("d"), ...many(10, "e")]);
    expect(kinds(fold(root, new Set()))).toEqual([30, "transaction", 10]);
  });

  it("expands what the user opened, and folds inside it", () => {
    const root = node(
      "root",
      Array.from({ length: 20 }, () => node("a", many(5))),
    );
    const [group] = fold(root, new Set()).children;
    const opened = fold(root, new Set([group?.id ?? ""]));
    expect(opened.children.length).toBe(20);
    expect(opened.children.map(kinds)).toEqual(Array(20).fill([5]));
  });

  it("handles a trace of 4,000 transactions", () => {
    const root = node(
      "root",
      Array.from({ length: 400 }, (_none, at) => node(`code ${at}`, many(9))),
    );
    const folded = fold(root, new Set());
    expect(listNodes(root).length).toBe(4_001);
    expect(listNodes(folded).length).toBe(801);
  });
});
