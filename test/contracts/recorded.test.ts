import { afterAll, beforeAll, expect, it } from "vitest";
import { readJson } from "../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../kit/suite/record.ts";
import { cellOf, type RecordedState } from "../../kit/tvm/tvmRecords.ts";
import { type DetectedEntity, detect } from "../../src/contracts/detect.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { type Address, parseAddress } from "../../src/model/Address.ts";
import { noCurrency } from "../../src/model/Currency.ts";
import { configFromRoot } from "../../src/model/config/ConfigParams.ts";
import { zeroHash } from "../../src/model/Hash.ts";
import { type LiveExecutor, openExecutor } from "../../src/tvm/run/openExecutor.ts";
import { entityDifferences } from "../kit/contracts/entityDifferences.ts";
import { accountStateOf, recordedCaller } from "../kit/contracts/recordedCaller.ts";
import { recordedTables, tablesOf } from "../kit/contracts/recordedEntities.ts";
import { fixtureFolder } from "../kit/model/fixtureChain.ts";

const record = asRecord(readJson(fixtureFolder, "contracts.json.gz"));
const libraries = new Map(asList(record.libraries).map((boc) => [cellOf(boc).hash(), cellOf(boc)]));
const addressOf = (text: unknown): Address => parseAddress(asText(text)).address;
const domains = { ton: new Set(asList(record.domains).map(addressOf)), telegram: new Set<Address>() };

const common = {
  config: configFromRoot(cellOf(record.config)),
  now: Number(record.now),
  randomSeed: zeroHash,
  balance: noCurrency,
  gasLimit: 1_000_000n,
  findLibrary: (hash: RecordedState["randomSeed"]) => libraries.get(hash),
};
const states = new Map(
  asList(record.accounts)
    .map(asRecord)
    .map((each): [Address, RecordedState] => {
      const address = addressOf(each.address);
      return [address, { ...common, address, code: cellOf(each.code), data: cellOf(each.data) }];
    }),
);

let executor: LiveExecutor;
beforeAll(async () => {
  executor = await openExecutor({}, { clock: systemClock });
});
afterAll(() => executor.close());

it("finds exactly the known entities of a recorded network", async () => {
  const caller = recordedCaller(executor, states);
  const found: [Address, DetectedEntity][] = [];
  for (const [address, state] of states)
    for (const entity of await detect(await accountStateOf(state), caller, { domains })) found.push([address, entity]);
  expect(tablesOf(found)).toEqual(recordedTables(asRecord(record.final_state)));
  const names = found.flatMap(([, entity]) => (entity.kind === "dnsEntry" ? [entity.domain] : []));
  expect(names).toEqual(record.names);
});

it("reads the data of known codes like the codes themselves", async () => {
  const caller = recordedCaller(executor, states);
  for (const [address, state] of states) {
    const differences = await entityDifferences(await accountStateOf(state), caller);
    expect({ address, differences }).toEqual({ address, differences: [] });
  }
});
