import { dirname, join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compileApp } from "../../../../kit/suite/compiledApp.ts";
import type { TestServer } from "../../../kit/api/apiServer.ts";
import { trustOf } from "../../../kit/api/provedRecords.ts";
import { openFixtureLedger } from "../../../kit/localnet/fixtureLedger.ts";
import { openFixtureServer } from "../../../kit/tvm/fixtureServer.ts";

let server: TestServer;

beforeAll(async () => {
  server = await openFixtureServer();
});

afterAll(() => server.close());

/** The client for browsers in one script, with everything that it loads on demand. */
async function bundleClient(): Promise<string> {
  const input = join(dirname((await compileApp()).cli), "../browser/api/client/client.js");
  const build = await rolldown({ input, platform: "browser" });
  const { output } = await build.generate({ format: "es", codeSplitting: false });
  await build.close();
  // A script has no exports.
  return `${output[0].code.replace(/^export \{[^}]*\};$/m, "")}\nglobalThis.createClient = createClient;`;
}

/** What every worker has: those of browsers, and those at the edge of a network, which have no Node. */
const { fetch, crypto, performance, setTimeout, clearTimeout, URL, URLSearchParams } = globalThis;
const { TextEncoder, TextDecoder, AbortController, AbortSignal, atob, btoa } = globalThis;
const worker = {
  ...{ fetch, crypto, performance, setTimeout, clearTimeout, URL, URLSearchParams },
  ...{ TextEncoder, TextDecoder, AbortController, AbortSignal, atob, btoa },
};

it("proves answers in a worker that has nothing of Node", async () => {
  const context = createContext({ ...worker });
  expect(runInContext("[typeof process, typeof Buffer, typeof require, typeof window]", context)).toEqual(
    Array.from({ length: 4 }, () => "undefined"),
  );
  runInContext(await bundleClient(), context);
  const { zero, headId } = openFixtureLedger();
  const trust = trustOf({ zeroState: zero.id, initBlock: headId });
  const input = { base: `${server.origin}/api/v2`, trust, address: `-1:${"5".repeat(64)}` };
  const answers = await runInContext(
    `(async ({ base, trust, address }) => {
      const ask = async (client) =>
        JSON.stringify([
          await client.getAddressInformation({ address }),
          await client.runGetMethod({ address, method: "seqno", stack: [] }),
        ], (_key, value) => (typeof value === "bigint" ? String(value) : value));
      const proving = createClient(base, { verify: { trust, maxAge: Infinity } });
      return [await ask(createClient(base)), await ask(proving)];
    })(${JSON.stringify(input)})`,
    context,
  );
  expect(answers[1]).toBe(answers[0]);
});
