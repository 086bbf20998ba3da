import { afterAll, beforeAll, expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson, reportAbsent } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { RecordedConfigs, type RecordedState, readRecordedState } from "../../../kit/tvm/tvmRecords.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import { type DetectedEntity, detect } from "../../../src/contracts/detect.ts";
import { isPlainWallet, readWallet } from "../../../src/contracts/families/wallet/PlainWallet.ts";
import type { CallOutcome } from "../../../src/contracts/kit/entity.ts";
import { isRefusal } from "../../../src/contracts/kit/entity.ts";
import { addressValue, cellValue } from "../../../src/contracts/kit/stackValues.ts";
import { readTokenContent } from "../../../src/contracts/kit/tokenContent.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type Address, formatRawAddress } from "../../../src/model/Address.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import type { VmValues } from "../../../src/model/vm/VmValue.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { entityDifferences } from "../../kit/contracts/entityDifferences.ts";
import { type Absent, accountStateOf, recordedCaller } from "../../kit/contracts/recordedCaller.ts";

type Fields = Readonly<Record<string, unknown>>;

const shown = (address: Address | undefined): string | null =>
  address === undefined ? null : formatRawAddress(address);

/** The compared fields of an entity, by their names in the corpus. */
function fieldsOf(entity: DetectedEntity): Fields | undefined {
  switch (entity.kind) {
    case "jettonMaster":
      return {
        total_supply: String(entity.totalSupply),
        mintable: entity.mintable,
        admin_address: shown(entity.admin),
        jetton_content: entity.content,
        jetton_wallet_code_hash: hashToBase64(entity.walletCodeHash),
      };
    case "jettonWallet":
      return { balance: String(entity.balance), owner: shown(entity.owner), jetton: shown(entity.jetton) };
    case "nftCollection":
      return {
        next_item_index: String(entity.nextItemIndex),
        owner_address: shown(entity.owner),
        collection_content: entity.content,
      };
    case "nftItem":
      return {
        init: entity.isInit,
        index: String(entity.index),
        collection_address: shown(entity.collection),
        owner_address: shown(entity.owner),
      };
    default:
      return undefined;
  }
}

const tables = {
  jetton_masters: "jettonMaster",
  jetton_wallets: "jettonWallet",
  nft_collections: "nftCollection",
  nft_items: "nftItem",
} as const;

const anyContent = beginCell().storeUint(1, 8).storeBytes(Buffer.from("some")).cell();

/** Masters and collections are mostly not recorded: these confirm every account. */
function agreeing(self: Address): Absent {
  return (method: string, stack: VmValues): CallOutcome => {
    if (method !== "get_nft_content") return { kind: "ok", stack: [addressValue(self)] };
    const own = stack[1];
    return { kind: "ok", stack: [own?.kind === "cell" && isContent(own) ? own : cellValue(anyContent)] };
  };
}

function isContent({ cell }: { readonly cell: Parameters<typeof readTokenContent>[0] }): boolean {
  try {
    readTokenContent(cell);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

describeCorpusPart("detection over the corpus", ["getmethods/*.json", "entities/entities.json"], (folder) => {
  let executor: LiveExecutor;
  beforeAll(async () => {
    executor = await openExecutor({}, { clock: systemClock });
  });
  afterAll(() => executor.close());

  const configs = new RecordedConfigs(folder);
  const states = new Map<string, RecordedState>(
    listFiles(folder, "getmethods", ".json").map((path) => [path, readRecordedState(readJson(folder, path), configs)]),
  );
  const byAddress = new Map(Array.from(states.values(), (state) => [state.address, state]));
  const entities = asRecord(readJson(folder, "entities/entities.json"));

  /** The recorded entities of a table whose account this corpus has. */
  function listEntities(table: string): Readonly<Record<string, unknown>>[] {
    const recorded = asList(entities[table] ?? []).map(asRecord);
    const isHere = ({ source }: Readonly<Record<string, unknown>>) => states.has(asText(source));
    reportAbsent(
      table,
      recorded.filter((entity) => !isHere(entity)).map(({ source }) => asText(source)),
    );
    return recorded.filter(isHere);
  }

  function stateOf(path: string): RecordedState {
    const state = states.get(path);
    if (state === undefined) throw new Error(`${path} is not there`);
    return state;
  }

  async function findAlone(path: string): Promise<DetectedEntity[]> {
    const state = stateOf(path);
    const caller = recordedCaller(executor, new Map([[state.address, state]]), agreeing(state.address));
    return detect(await accountStateOf(state), caller);
  }

  for (const [table, kind] of Object.entries(tables)) {
    for (const expected of listEntities(table)) {
      const source = asText(expected.source);
      it(`finds the ${kind} of ${source}`, async () => {
        const detectedEntity = (await findAlone(source)).find((each) => each.kind === kind);
        // By the index's rules, an entity without readable content does not count.
        const isUnreadable = expected.jetton_content === null || expected.collection_content === null;
        const fields = detectedEntity && fieldsOf(detectedEntity);
        const picked = Object.fromEntries(Object.keys(fields ?? {}).map((name) => [name, expected[name]]));
        expect(fields).toEqual(isUnreadable ? undefined : picked);
        if (detectedEntity?.kind === "nftItem" && expected.individual_content !== null)
          expect(detectedEntity.content).toMatchObject(asRecord(expected.individual_content));
      });
    }
  }

  for (const expected of listEntities("wallets")) {
    const source = asText(expected.source);
    it(`reads the wallet of ${source} if it is a common one`, () => {
      const { code, data } = stateOf(source);
      const wallet = readWallet(code.hash(), data);
      expect(wallet !== undefined).toBe(isPlainWallet(code.hash()));
      if (wallet !== undefined) expect(String(wallet.seqno)).toBe(expected.seqno);
    });
  }

  it("finds the same with recorded masters and collections as with agreeing ones", async () => {
    for (const [path, state] of states) {
      const accounts = new Map(byAddress).set(state.address, state);
      const detectedEntities = await detect(await accountStateOf(state), recordedCaller(executor, accounts));
      const alone = await findAlone(path);
      for (const entity of detectedEntities) {
        const same = alone.find(({ kind }) => kind === entity.kind);
        // Only the collection knows what it adds to the content of an item.
        expect({ path, ...same, content: undefined }).toEqual({ path, ...entity, content: undefined });
      }
    }
  });

  it("reads the data of known codes like the codes themselves", async () => {
    for (const [path, state] of states) {
      const caller = recordedCaller(executor, new Map([[state.address, state]]));
      expect({ path, differences: await entityDifferences(await accountStateOf(state), caller) }).toEqual({
        path,
        differences: [],
      });
    }
  });

  it("finds the same when the methods of a code are unknown", async () => {
    for (const [path, state] of states) {
      const caller = recordedCaller(executor, new Map([[state.address, state]]), agreeing(state.address));
      const unknown = { ...(await accountStateOf(state)), methods: undefined };
      expect({ path, found: await detect(unknown, caller) }).toEqual({ path, found: await findAlone(path) });
    }
  });
});
