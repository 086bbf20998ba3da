import { readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import type { V2Services } from "../../../src/api/v2/declare.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";
import { openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { openV2Server, type TestServer, type TestServerOptions } from "../api/apiServer.ts";
import { openFixtureLedger } from "../localnet/fixtureLedger.ts";
import { openLedgerChains, type RecordedChains, reportedSignatures } from "../localnet/v2Recording.ts";
import { fixtureFolder } from "../model/fixtureChain.ts";

/** A long deadline, because a busy machine must not change the answers. */
export const patient = { deadlineMs: 120_000 } as const;

/** The first 24 masterchain blocks of a recorded chain in the repository, with their reported signatures. */
export function openFixtureChains(executor: Executor): RecordedChains {
  const ledger = openFixtureLedger();
  const reported = readJsonLinesGz(fixtureFolder, "v2/cpp.jsonl.gz").map((record) => Object(record).response?.result);
  return openLedgerChains(ledger, executor, {
    signatures: reportedSignatures(reported, ledger),
    submissions: new Map(),
  });
}

export async function openFixtureServer({
  services = {},
  ...options
}: TestServerOptions & { readonly services?: Partial<V2Services> } = {}): Promise<TestServer> {
  const executor = await openExecutor({}, { clock: systemClock });
  const { chains } = openFixtureChains(executor);
  const server = await openV2Server({ ...patient, ...options }, { isLive: () => true, chains, ...services });
  const close = async () => {
    await server.close();
    await executor.close();
  };
  return { ...server, close };
}
