import { expect, it } from "vitest";
import { proveTransactions } from "../../../../src/api/v3/proofs/transactionProof.ts";
import type { Chain } from "../../../../src/chain/Chain.ts";

const server = { ask: () => Promise.reject(new Error("asked")), close: async () => {}, destroy: () => {} };
// Nothing else of it is looked at before it is asked.
const chain = { server, head: { block: {} }, asking: {} } as unknown as Chain;

function rowsOf(blocks: number, each = 1) {
  const account = `0:${"1".repeat(64)}`;
  return Array.from({ length: blocks * each }, (_, index) => ({
    ...{ account, lt: String(index + 1) },
    block_ref: { workchain: 0, shard: "8000000000000000", seqno: (index % blocks) + 1 },
  }));
}

it("refuses rows of too many blocks, and too many rows, before it asks anybody", async () => {
  const texts = [];
  for (const rows of [rowsOf(101), rowsOf(10, 101), [{ account: "x", lt: "1" }]])
    texts.push(await proveTransactions(chain, rows).catch((error: unknown) => String(Object(error).message)));
  expect(texts).toEqual([
    "this answer has no proof: a proof covers rows of at most 100 blocks, not 101; ask for fewer with limit",
    "this answer has no proof: a proof covers at most 1000 rows; ask for fewer with limit",
    "this answer has no proof: a row does not say where it is on the chain",
  ]);
});
