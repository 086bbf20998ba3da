import { describe, expect, it } from "vitest";
import { getAccount } from "../../src/chain/accounts.ts";
import { lookUp } from "../../src/chain/blocks.ts";
import { listProvenHistory } from "../../src/chain/pinned/provenHistory.ts";
import { listHistory } from "../../src/chain/transactions.ts";
import { blockIdFromTl, blockIdToTl } from "../../src/lite/queries/ids.ts";
import type { AskOptions, LiteServer } from "../../src/lite/server/LiteServer.ts";
import { getTransactions, lookupBlock, lookupBlockWithProof } from "../../src/lite/tl/liteQueries.ts";
import type { transactionList } from "../../src/lite/tl/liteRecords.ts";
import { serverError } from "../../src/lite/tl/liteRecords.ts";
import { decodeQuery, encodeQuery } from "../../src/lite/tl/queryEnvelope.ts";
import { decode, encode, type TlValue } from "../../src/lite/tl/types.ts";
import { LocalLiteServer } from "../../src/localnet/network/LocalLiteServer.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../src/model/block/BlockId.ts";
import { openChain } from "../kit/chain/openChain.ts";
import { importSplitChain } from "../kit/localnet/splitChain.ts";

const ledger = importSplitChain();
const honest = new LocalLiteServer({ ledger });
const elector = makeAddress(masterchain, "3".repeat(64));

function serverWith(ask: LiteServer["ask"]): LiteServer {
  return { ask, close: () => honest.close(), destroy: (reason) => honest.destroy(reason) };
}

/** A server that names other blocks for the transactions of a history. */
function naming(change: (id: BlockIdExt, ids: readonly BlockIdExt[]) => BlockIdExt): LiteServer {
  return serverWith(async (bytes: Uint8Array, options: AskOptions) => {
    const answer = await honest.ask(bytes, options);
    if (decodeQuery(bytes).query.id !== getTransactions.id) return answer;
    const { boxed } = getTransactions.answer;
    const list = decode<TlValue<typeof transactionList>>(boxed, answer);
    const ids = list.ids.map(blockIdFromTl);
    return encode(boxed, { ...list, ids: ids.map((id) => blockIdToTl(change(id, ids))) });
  });
}

describe("the history of an account", () => {
  it("has the blocks that the server reports, once they are proved", async () => {
    const chain = openChain(ledger, honest);
    const { lastTransaction } = await getAccount(chain, elector);
    const items = await listProvenHistory(chain, elector, lastTransaction, 20);
    expect(items).toHaveLength(20);
    expect(items).toEqual(await listHistory(chain, elector, lastTransaction, 20));
  });

  it.each<[string, (id: BlockIdExt, ids: readonly BlockIdExt[]) => BlockIdExt]>([
    ["another block of the chain", (id, ids) => ids.at(-1) ?? id],
    ["a block that does not exist", (id) => ({ ...id, rootHash: id.fileHash })],
    ["a block of another workchain", (id) => ({ ...id, workchain: 0 })],
  ])("is refused with %s", async (_name, change) => {
    const chain = openChain(ledger, naming(change));
    const { lastTransaction } = await getAccount(chain, elector);
    const provenHistory = listProvenHistory(chain, elector, lastTransaction, 20);
    await expect(provenHistory).rejects.toMatchObject({ code: "lite/proof" });
  });
});

describe("a lookup by time", () => {
  it("accepts no later block from a server that claims to have no proof", async () => {
    const at = { workchain: masterchain, shard: wholeShard, by: "seqno", seqno: 20 } as const;
    const { info } = await lookUp(openChain(ledger, honest), at);
    const hiding = serverWith(async (bytes, options) => {
      const { query, args } = decodeQuery(bytes);
      if (query.id === lookupBlockWithProof.id && Object(args).mode !== 1)
        return encode(serverError.boxed, { code: 651, message: "not in db" });
      if (query.id !== lookupBlock.id) return honest.ask(bytes, options);
      return honest.ask(encodeQuery(lookupBlock, { ...Object(args), utime: info.genUtime }), options);
    });
    const asked = { workchain: masterchain, shard: wholeShard, by: "time", at: info.genUtime - 30 } as const;
    await expect(lookUp(openChain(ledger, hiding), asked)).rejects.toMatchObject({ code: "lite/proof" });
  });
});
