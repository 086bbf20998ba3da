import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { openMerkleUpdate } from "../../../src/cell/merkle/merkleUpdate.ts";
import { TrustedChain } from "../../../src/lite/queries/TrustedChain.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { historyCellOf } from "../../../src/model/block/McStateExtra.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import { getConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { type ChainKit, openChainKit } from "../../kit/localnet/localChain.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";

let kit: ChainKit;
let ledger: Ledger;
let lite: Awaited<ReturnType<ChainKit["open"]>>["net"]["lite"];
beforeAll(async () => {
  kit = await openChainKit();
  const chain = await kit.open();
  await chain.rounds(6);
  ledger = chain.net.ledger;
  lite = chain.net.lite;
});
afterAll(() => kit.close());

/** Masterchain blocks whose update includes the extra of the old state, and those of them without its history. */
function oldExtras(chain: Ledger) {
  const opened: number[] = [];
  const withoutHistory: number[] = [];
  for (let seqno = 1; seqno <= chain.headId.seqno; seqno++) {
    const { from } = openMerkleUpdate(chain.block(chain.getMaster(seqno)).stateUpdate);
    const extra: Cell | undefined = loadCell(ShardStateUnsplit, from).custom?.cell;
    if (extra === undefined || extra.kind === CellKind.pruned) continue;
    opened.push(seqno);
    if (historyCellOf(extra).kind === CellKind.pruned) withoutHistory.push(seqno);
  }
  return { opened, withoutHistory };
}

describe("the state update of a masterchain block", () => {
  it("has the history of the old state wherever it has the extra around it, like the blocks of a node", () => {
    for (const chain of [importSplitChain(), ledger]) {
      const { opened, withoutHistory } = oldExtras(chain);
      expect(opened.length).toBeGreaterThan(3);
      expect(withoutHistory).toEqual([]);
    }
  });
});

describe("the validator of a new network", () => {
  it("has an ADNL address, which is part of the signature check", async () => {
    const config = loadCell(ShardStateUnsplit, ledger.zero.root).custom?.load().config;
    if (config === undefined) throw new Error("the zero state has no configuration");
    expect(getConfigParam(config, 34).list.values()).toEqual([
      {
        kind: "withAddress",
        publicKey: kit.keys.validator.publicKey,
        weight: 17n,
        adnlAddress: kit.keys.validator.adnlAddress,
      },
    ]);
    expect(kit.keys.validator.adnlAddress).not.toMatch(/^0*$/);
    const trusted = new TrustedChain({ start: ledger.zero.id, zeroState: ledger.zero.id, proofs: "check" });
    const { signal } = new AbortController();
    expect((await trusted.head(lite, { signal })).block).toEqual(ledger.headId);
  });
});
