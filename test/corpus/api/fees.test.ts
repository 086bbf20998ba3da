import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord } from "../../../kit/suite/record.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { openV2Server, type TestServer } from "../../kit/api/apiServer.ts";
import { openRecordedChains } from "../../kit/localnet/v2Recording.ts";
import { patient } from "../../kit/tvm/fixtureServer.ts";

const emptyBag = "te6cckEBAQEAAgAAAEysuc0=";
const missing = `0:${"7".repeat(64)}`;

describeCorpusPart("fees of accounts without code", ["*/accounts.json", "*/v2/cpp.jsonl.gz"], (folder) => {
  describe.each(listFiles(folder, ".", "v2/cpp.jsonl.gz").map((file) => dirname(dirname(file))))("%s", (name) => {
    let server: TestServer;
    let executor: LiveExecutor;

    beforeAll(async () => {
      executor = await openExecutor({}, { clock: systemClock });
      server = await openV2Server(patient, {
        isLive: () => true,
        chains: openRecordedChains(folder, name, executor).chains,
      });
    });

    afterAll(async () => {
      await server.close();
      await executor.close();
    });

    async function askFees(address: unknown): Promise<unknown> {
      const body = JSON.stringify({ address, body: emptyBag });
      const response = await fetch(`${server.origin}/api/v2/estimateFee`, { method: "POST", body });
      return Object(await response.json()).result.source_fees;
    }

    it("are the flat price of gas without a balance, and none for gas with one", async () => {
      const accounts = asList(asRecord(readJson(folder, `${name}/accounts.json`)).accounts).map(asRecord);
      const isBare = ({ status, balance }: (typeof accounts)[number]) =>
        status === "uninit" && BigInt(`${balance}`) > 0n;
      const bare = accounts.filter(isBare).slice(0, 20);
      expect(await askFees(missing)).toMatchObject({ gas_fee: 1000, fwd_fee: 0 });
      for (const { address } of bare) expect(await askFees(address)).toMatchObject({ gas_fee: 0, fwd_fee: 0 });
    });
  });
});
