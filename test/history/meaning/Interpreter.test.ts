import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { CallOutcome } from "../../../src/contracts/kit/entity.ts";
import { noEntities } from "../../../src/history/entities/entityRows.ts";
import type { AccountAfter } from "../../../src/history/ingest/decode/DecodedBatch.ts";
import { assembleTraces } from "../../../src/history/ingest/traces/assembleTraces.ts";
import { TraceMemory } from "../../../src/history/ingest/traces/TraceMemory.ts";
import { Interpreter } from "../../../src/history/meaning/Interpreter.ts";
import type { CodeMethods, RunBlock } from "../../../src/history/meaning/StateRunner.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { wholeSlice } from "../../../src/model/vm/VmCellSlice.ts";
import type { VmValues } from "../../../src/model/vm/VmValue.ts";
import { TvmError } from "../../../src/tvm/errors.ts";
import { accountNamed, message, named, noConfig, transaction } from "../../kit/history/traceBlocks.ts";

const master = { workchain: -1, shard: 1n << 63n, seqno: 5, rootHash: zeroHash, fileHash: zeroHash };
const place: RunBlock = { master, keySeqno: 0, now: 1, signal: new AbortController().signal };
const [code, data] = [beginCell().storeUint(1, 8).cell(), beginCell().storeUint(2, 8).cell()];
const account = accountNamed("account");

function changed(parts: Partial<AccountAfter> = {}): AccountAfter {
  const last = { lastTransHash: named("t"), lastTransLt: 7n, now: 1 };
  return { address: account, block: master, stateHash: zeroHash, ...last, cell: code, code, data, ...parts };
}

/** An interpreter over empty tables whose contracts all give the same answer. */
function openInterpreter(
  answer: (method: string) => CallOutcome,
  methods: CodeMethods | "absent" = { ids: undefined },
) {
  const asked: string[] = [];
  const runner = {
    put: () => {},
    getConfig: async () => noConfig,
    fetchState: async () => undefined,
    findMethods: async () => (methods === "absent" ? undefined : methods),
    callerAt: () => ({
      ask: async (_address: unknown, method: string) => {
        asked.push(method);
        return answer(method);
      },
    }),
  };
  const interpreter = new Interpreter({ database: { query: async () => [] }, runner, network: "testnet" });
  const received = message("in", undefined, account);
  const transactions = [transaction({ name: "t", account, lt: 7n, mcSeqno: 5, received })];
  const step = assembleTraces(new TraceMemory(), { mcSeqno: 5, transactions, normalized: new Map() });
  const interpret = (accounts: readonly AccountAfter[]) =>
    interpreter.interpret({ runBlock: place, transactions, accounts, step });
  return { interpreter, interpret, asked };
}

const content = beginCell().storeUint(1, 8).storeBytes(Buffer.from("uri")).cell();
const noAddress = beginCell().storeUint(0, 2).cell();

const collectionData: VmValues = [
  { kind: "int", value: 4n },
  { kind: "cell", cell: content },
  { kind: "slice", slice: wholeSlice(noAddress) },
];

const silent = (): CallOutcome => ({ kind: "failed" });

describe("the interpretation of a block", () => {
  it("has a classified trace, and no entities of accounts without answers", async () => {
    const { interpret } = openInterpreter(silent);
    const rows = await interpret([changed()]);
    expect(rows.traces.map(({ state, classificationState }) => [state, classificationState])).toEqual([
      ["complete", "ok"],
    ]);
    expect(rows.actions.map(({ type, traceId, accounts }) => [type, traceId, accounts])).toEqual([
      ["unknown", named("t"), [account]],
    ]);
    expect(rows.traceAccounts).toEqual([{ account, endLt: 7n, traceId: named("t"), endUtime: 1007 }]);
    expect(Object.values(rows.entities).flat()).toEqual([]);
  });

  it("has the entities of the last state of each account", async () => {
    const { interpret } = openInterpreter((method) =>
      method === "get_collection_data" ? { kind: "ok", stack: collectionData } : { kind: "failed" },
    );
    const { entities } = await interpret([changed(), changed({ lastTransLt: 8n })]);
    expect(entities).toEqual({
      ...noEntities(),
      nftCollections: [
        {
          address: account,
          id: 5n << 20n,
          codeHash: code.hash(),
          dataHash: data.hash(),
          lastTransactionLt: 8n,
          nextItemIndex: 4n,
          ownerAddress: undefined,
          collectionContent: { uri: "uri" },
        },
      ],
    });
  });

  it("runs nothing on accounts without code or data, or with a missing library", async () => {
    const bare = openInterpreter(silent);
    await bare.interpret([changed({ code: undefined })]);
    await bare.interpret([changed({ data: undefined })]);
    const unlinked = openInterpreter(silent, "absent");
    await unlinked.interpret([changed()]);
    expect([bare.asked, unlinked.asked]).toEqual([[], []]);
  });

  it("has no entity if detection fails because of a bug, which is counted", async () => {
    const { interpret, interpreter } = openInterpreter(() => {
      throw new RangeError("a mistake");
    });
    const rows = await interpret([changed()]);
    expect(Object.values(rows.entities).flat()).toEqual([]);
    expect(interpreter.failedDetections).toBe(1);
  });

  it("fails if no result is available", async () => {
    const { interpret } = openInterpreter(() => {
      throw new TvmError("tvm/closed", "the executor is closed");
    });
    await expect(interpret([changed()])).rejects.toMatchObject({ code: "tvm/closed" });
  });
});
