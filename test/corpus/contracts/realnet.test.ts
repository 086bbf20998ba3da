import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCorpusPart, listChains, readJson, reportAbsent } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import type { Chain } from "../../../src/chain/Chain.ts";
import { type DetectedEntity, detect } from "../../../src/contracts/detect.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type Address, parseAddress } from "../../../src/model/Address.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { chainCaller, findAccountState } from "../../kit/chain/chainCaller.ts";
import { entityDifferences } from "../../kit/contracts/entityDifferences.ts";
import { recordedTables, tablesOf } from "../../kit/contracts/recordedEntities.ts";
import { openRecordedChains } from "../../kit/localnet/v2Recording.ts";

describeCorpusPart("detection on recorded networks", ["*/ledger.json", "*/accounts.json"], (folder) => {
  describe.each(listChains(folder).filter((name) => existsSync(join(folder, name, "ledger.json"))))("%s", (name) =>
    declareChain(folder, name),
  );
});

function declareChain(folder: string, name: string): void {
  let executor: LiveExecutor;
  let chain: Chain;
  beforeAll(async () => {
    executor = await openExecutor({}, { clock: systemClock });
    const { chains } = openRecordedChains(folder, name, executor);
    chain = chains.open({ access: "public", signal: new AbortController().signal });
  });
  afterAll(() => executor.close());

  const ledger = asRecord(readJson(folder, join(name, "ledger.json")));
  const contracts = asList(ledger.contracts).map(asRecord);
  const ton = contracts.filter(({ kind }) => kind === "dns collection").map(({ address }) => address as Address);
  const domains = { ton: new Set(ton), telegram: new Set<Address>() };
  const addresses = asList(asRecord(readJson(folder, join(name, "accounts.json"))).accounts).map(
    (each) => parseAddress(asText(asRecord(each).address)).address,
  );

  it("finds exactly the known entities, and reads data like the codes", async () => {
    const found: [Address, DetectedEntity][] = [];
    for (const address of addresses) {
      const account = await findAccountState(chain, address);
      if (account === undefined) continue;
      expect(await entityDifferences(account, chainCaller(chain))).toEqual([]);
      for (const entity of await detect(account, chainCaller(chain), { domains })) found.push([address, entity]);
    }
    const recorded = recordedTables(asRecord(ledger.final_state));
    const detected = tablesOf(found);
    // A recording lists the contract kinds of its network; an empty or missing table means none.
    const kinds = Object.keys(recorded);
    expect(Object.fromEntries(kinds.map((kind) => [kind, detected[kind] ?? {}]))).toEqual(recorded);
    reportAbsent(
      `tables of ${name}:`,
      Object.keys(detected).filter((kind) => !kinds.includes(kind)),
    );
    const names = found.flatMap(([, entity]) => (entity.kind === "dnsEntry" ? [entity.domain] : []));
    const items = contracts.filter(({ kind }) => kind === "dns item").map(({ name }) => asText(name).split(" ").at(-1));
    expect(names.sort()).toEqual(items.map((name) => `${name}.ton`).sort());
  });
}
