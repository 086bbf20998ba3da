import { expect, it } from "vitest";
import { describeCorpus, reportAbsent } from "../../../kit/suite/corpus.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { walletAddress } from "../../../src/contracts/families/jetton/walletAddress.ts";
import { deployedAddress, storeAddress } from "../../../src/contracts/kit/knownAnswer.ts";
import { addressValue } from "../../../src/contracts/kit/stackValues.ts";
import type { AccountAfter } from "../../../src/history/ingest/decode/DecodedBatch.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import { StateRunner } from "../../../src/history/meaning/StateRunner.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { noExecutor } from "../../kit/chain/openChain.ts";
import { accountNamed, named } from "../../kit/history/traceBlocks.ts";
import { importSplitChain } from "../../kit/localnet/splitChain.ts";
import { readKnownCodes } from "../../kit/model/knownCodes.ts";

describeCorpus("calls of an index to a minter with a well-known code", (folder) => {
  const codes = readKnownCodes(folder);

  reportAbsent(
    "codes of minters",
    walletAddress.codes.filter((hash) => !codes.has(hash)),
  );

  it.each(walletAddress.codes.filter((hash) => codes.has(hash)))("are answered without a run: %s", async (hash) => {
    const [minter, owner] = [accountNamed("minter"), accountNamed("owner")];
    const code = codes.get(hash) as Cell;
    const [content, walletCode] = [1, 2].map((n) => beginCell().storeUint(n, 8).cell()) as [Cell, Cell];
    const data = storeAddress(beginCell().storeCoins(5n), owner).storeRef(content).storeRef(walletCode).cell();
    const ledger = importSplitChain();
    const runner = new StateRunner({
      server: new LocalLiteServer({ ledger }),
      executor: noExecutor,
      queries: new AccountQueries({ clock: systemClock, random: seededRandom("known") }, { attempts: 1 }),
      database: { query: async () => [] },
    });
    const cell = beginCell().storeBit(false).cell();
    const last = { lastTransHash: named("last"), lastTransLt: 1n, now: 1 };
    const after: AccountAfter = {
      address: minter,
      block: ledger.headId,
      stateHash: cell.hash(),
      ...last,
      cell,
      code,
      data,
    };
    runner.put([after]);
    const place = { master: ledger.headId, keySeqno: 1, now: 7, signal: new AbortController().signal };
    const wallet = storeAddress(storeAddress(beginCell().storeCoins(0n), owner), minter)
      .storeRef(walletCode)
      .cell();
    expect(await runner.callerAt(place).ask(minter, "get_wallet_address", [addressValue(owner)])).toEqual({
      kind: "ok",
      stack: [addressValue(deployedAddress(walletCode, wallet))],
    });
    expect(runner.counters()).toMatchObject({ runs: 0, configQueries: 0 });
  });
});
