import type { Chain } from "../../../src/chain/Chain.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { decodeQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import { methodId } from "../../../src/model/vm/methodId.ts";
import type { VmStack } from "../../../src/model/vm/VmStack.ts";
import type { Executor, GetMethodRun } from "../../../src/tvm/Executor.ts";
import { openV2Server, type TestServer, type TestServerOptions } from "../api/apiServer.ts";
import { openFixtureChains, patient } from "../tvm/fixtureServer.ts";

/** For tests that run no code. */
const noExecutor: Executor = {
  supportedGlobalVersion: 0,
  runGetMethod: () => Promise.reject(new Error("no code is run in this test")),
  runTransaction: () => Promise.reject(new Error("no code is run in this test")),
  runAcceptance: () => Promise.reject(new Error("no code is run in this test")),
  runTickTock: () => Promise.reject(new Error("no code is run in this test")),
};

/** v2 over the recorded blocks, with parts of the chain replaced. */
export function openChangedServer(
  change: (chain: Chain) => Partial<Chain>,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const { chains } = openFixtureChains(noExecutor);
  const open: typeof chains.open = (opening) => {
    const chain = chains.open(opening);
    return { ...chain, ...change(chain) };
  };
  return openV2Server({ ...patient, ...options }, { isLive: () => true, chains: { open } });
}

/** Stacks of get-methods, by name; all other methods fail. */
export type MethodStacks = Readonly<Record<string, VmStack>>;

/** v2 over the recorded blocks; get-methods of all accounts return the current value of `stacks`. */
export function openMethodServer(stacks: () => MethodStacks): Promise<TestServer> {
  // A new head for every request, so that nothing is cached.
  let round = 0;
  const head = () => ++round;
  const runGetMethod = async ({ method }: GetMethodRun) => {
    const [, stack] = Object.entries(stacks()).find(([name]) => methodId(name) === methodId(method)) ?? [];
    const rest = { gasUsed: 0n, missingLibrary: undefined, log: "" };
    return stack === undefined ? { exitCode: 11, stack: [], ...rest } : { exitCode: 0, stack, ...rest };
  };
  return openChangedServer(() => ({ executor: { ...noExecutor, runGetMethod } }), { head });
}

/** v2 over the recorded blocks and a lite server that changes a byte in its answers to one query. */
export function openCorruptServer(queryName: string): Promise<TestServer> {
  return openChangedServer(({ server }) => ({ server: corruptAnswersTo(queryName, server) }));
}

function corruptAnswersTo(queryName: string, server: LiteServer): LiteServer {
  return {
    ask: async (asked, options) => {
      const answer = await server.ask(asked, options);
      if (!decodeQuery(asked).query.name.endsWith(queryName)) return answer;
      const changed = answer.slice();
      const at = Math.floor(changed.length * 0.6);
      changed[at] = (changed[at] ?? 0) ^ 1;
      return changed;
    },
    close: () => server.close(),
    destroy: (reason) => server.destroy(reason),
  };
}
