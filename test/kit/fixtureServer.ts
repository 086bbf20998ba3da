import { systemClock } from "../../src/lib/clock.ts";
import { openExecutor } from "../../src/tvm/engine/openExecutor.ts";
import { openV2Server, type TestServer, type TestServerOptions } from "./apiServer.ts";
import { openFixtureLedger } from "./fixtureLedger.ts";
import { openLedgerChains } from "./v2Recording.ts";

/** What is compared is what is answered, however busy the machine is. */
export const patient = { deadlineMs: 120_000 } as const;

/** v2 over the first 24 masterchain blocks of a recorded chain, which every clone has. */
export async function openFixtureServer(options: TestServerOptions = {}): Promise<TestServer> {
  const executor = await openExecutor({ workers: 1 }, { clock: systemClock });
  const { chains } = openLedgerChains(openFixtureLedger(), executor);
  const server = await openV2Server({ ...patient, ...options }, { isLive: () => true, chains });
  const close = async () => {
    await server.close();
    await executor.close();
  };
  return { ...server, close };
}
