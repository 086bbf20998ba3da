import { arrivedAccounts } from "../../../src/app/local/arrivedAccounts.ts";
import { AccountQueries } from "../../../src/history/ingest/source/AccountQueries.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { type VerifyReport, verifySample } from "../../../src/history/verify/verifySample.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import type { Localnet } from "../../../src/localnet/network/Localnet.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";
import { ledgerHeads } from "../history/indexStage.ts";
import { openIndexer } from "../history/openIndexer.ts";

export interface WholeIndexModules {
  /** Migrated, and empty or with rows of this network. */
  readonly database: Database;
  readonly executor: Executor;
}

/** Enough for everything that a chain of a test has. */
const everything = { count: 1_000, accountsPerBlock: 1_000, tracesPerBlock: 1_000 };

/** The index of all blocks that a local network has made until now; those of a fork are its own. */
export function openWholeIndex({ lite: server, ledger, fork }: Localnet, modules: WholeIndexModules) {
  const { signal } = new AbortController();
  const common = { clock: systemClock, random: seededRandom("whole index") };
  const arrived = fork && arrivedAccounts(fork, { lite: server, ledger });
  const parts = { ...modules, ...common, server, heads: ledgerHeads(ledger), ...(arrived && { arrived }) };
  const from = (ledger.base?.master.id.seqno ?? 0) + 1;
  const range = { from, to: ledger.headId.seqno, network: "testnet" } as const;
  const { indexer, source } = openIndexer(parts, range);
  const reading = { ...parts, network: range.network, source, queries: new AccountQueries(common) };
  return {
    blocks: range.to - from + 1,
    write: (): Promise<void> => indexer.run(signal),
    verify: (): Promise<VerifyReport> => verifySample(reading, everything, signal),
  };
}
