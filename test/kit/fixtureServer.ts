import { systemClock } from "../../src/lib/clock.ts";
import { openExecutor } from "../../src/tvm/engine/openExecutor.ts";
import { openV2Server, type TestServer } from "./apiServer.ts";
import { openFixtureLedger } from "./fixtureLedger.ts";
import { openLedgerChains } from "./v2Recording.ts";

/** v2 over the first 24 masterchain blocks of a recorded chain, which every clone has. */
export async function openFixtureServer(): Promise<TestServer> {
  const executor = await openExecutor({ workers: 1 }, { clock: systemClock });
  const { chains } = openLedgerChains(openFixtureLedger(), executor);
  const server = await openV2Server({}, { isLive: () => true, chains });
  const close = async () => {
    await server.close();
    await executor.close();
  };
  return { ...server, close };
}
