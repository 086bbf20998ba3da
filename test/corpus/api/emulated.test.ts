import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { asRecord, asText } from "../../../kit/suite/record.ts";
import { cellOf, RecordedConfigs, readLibraries } from "../../../kit/tvm/tvmRecords.ts";
import { emulationAnswer } from "../../../src/api/emulate/answer.ts";
import { describeRun } from "../../../src/api/emulate/describeRun.ts";
import { runEmulation } from "../../../src/chain/run/emulationRun.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { parseAddress } from "../../../src/model/Address.ts";
import { findConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { parseHash, zeroHash } from "../../../src/model/Hash.ts";
import { readRecording, rebuildAccounts, rebuildMessage } from "../../kit/api/emulatedRecording.ts";
import { transactionExecutor } from "../../kit/tvm/transactionExecutor.ts";

/** Prices and limits of workchains were the same at the time of the recording. */
const config = "config/mainnet_2026-05_config.boc";
/** The code of some jetton wallets is a masterchain library. */
const libraries = "libraries-f57a4bf13469389b.boc";

type Json = Readonly<Record<string, unknown>>;

/** Fields that are newer than the recordings. */
const newer = new Set(["finality", "extra_flags", "decoded_opcode"]);

/**
 * Both sides without known differences. The service of 2025 did not decode bodies, wrote an empty credit phase for
 * external messages, wrote absent currencies as null in states and as an empty list in messages without a value, and
 * left out the init of messages, which the message hashes cover.
 */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(asRecord(value)).filter(([name, inner]) => !newer.has(name) && !isByRule(name, inner));
  return Object.fromEntries(fields.map(([name, inner]) => [name, comparable(inner)]));
}

function isByRule(name: string, value: unknown): boolean {
  if (name === "decoded" || name === "init_state") return true;
  const isEmpty = value === null || (typeof value === "object" && Object.keys(value).length === 0);
  return isEmpty && ["credit_ph", "extra_currencies", "value_extra_currencies"].includes(name);
}

/** The decoded bodies of all messages, by the hash of the body. */
function decodedIn(value: unknown): readonly (readonly [unknown, unknown])[] {
  if (typeof value !== "object" || value === null) return [];
  const { hash, decoded } = value as Json;
  const own = decoded === undefined || decoded === null ? [] : [[hash, decoded] as const];
  return [...own, ...Object.values(value).flatMap(decodedIn)];
}

/** Bags are compared by root hash: writers order cells differently. */
function hashesIn(cells: unknown): Json {
  return Object.fromEntries(Object.entries(asRecord(cells)).map(([hash, boc]) => [hash, cellOf(boc).hash()]));
}

const parts = ["api-v3/emulated/*.response.json", config, `replays/shared-inputs/${libraries}`];

describeCorpusPart("recorded answers of the emulation service", parts, (folder) => {
  const configs = new RecordedConfigs(folder);
  const files = listFiles(folder, "api-v3/emulated", ".response.json");

  it.each(files)("are reproduced as whole values: %s", async (path) => {
    const recording = readRecording(asRecord(readJson(folder, path)));
    const { answer, root } = recording;
    const message = rebuildMessage(recording);
    const accounts = rebuildAccounts(recording);
    const seqno = Number(answer.mc_block_seqno);
    const randomSeed = parseHash(asText(answer.rand_seed));
    const hash = message.hash();
    const run = await runEmulation(
      {
        ...{ config: configs.get(config), message, randomSeed, maxTransactions: 256, maxDepth: 32, mcSeqno: seqno + 1 },
        ...{ externalHash: hash, normalizedHash: hash, now: Number(root.now), lt: BigInt(asText(root.lt)) },
        ...{ findLibrary: readLibraries(folder, "replays/shared-inputs", libraries), signatures: "ignore" as const },
      },
      { executor: transactionExecutor(), loadAccount: async (address) => accounts.get(address) },
      new AbortController().signal,
    );
    if (run.kind !== "done") throw new Error(`not accepted: ${run.exitCode}`);
    const shardBlocks = new Map(
      recording.transactions.map(({ account, block_ref: ref }) => {
        const { workchain, shard, seqno: own } = asRecord(ref);
        const place = { workchain: Number(workchain), shard: BigInt(`0x${shard}`), seqno: Number(own) - 1 };
        return [parseAddress(asText(account)).address, { ...place, rootHash: zeroHash, fileHash: zeroHash }] as const;
      }),
    );
    const head = { workchain: -1, shard: 1n << 63n, seqno, rootHash: zeroHash, fileHash: zeroHash };
    const globalVersion = findConfigParam(configs.get(config), 8)?.version ?? 0;
    const described = runAtOnce(
      describeRun({ ...run, globalVersion, shardBlocks }, { head, messageHash: hash, randomSeed }),
    );
    const rest = { actions: [], book: undefined, metadata: undefined, logs: undefined, valueFlow: undefined };
    const ours = JSON.parse(JSON.stringify(emulationAnswer.encode({ ...described, ...rest })));
    // Actions, address book and metadata come from an index; another test compares the actions of these answers.
    const { actions: _actions, address_book: _book, metadata: _metadata, ...known } = answer;
    const cells = ({ code_cells: codes, data_cells: datas }: Json) => [hashesIn(codes), hashesIn(datas)];
    expect(cells(ours)).toEqual(cells(known));
    const without = { code_cells: undefined, data_cells: undefined, actions: [] };
    expect(comparable({ ...ours, ...without })).toEqual(comparable({ ...known, ...without }));
    // What the service did decode, ours decodes likewise; the field `@type` is newer.
    const recorded = decodedIn(known);
    const same = new Map(decodedIn(ours));
    expect(recorded.map(([hash]) => [hash, same.get(hash)])).toEqual(
      recorded.map(([hash, decoded]) => [hash, expect.objectContaining(asRecord(decoded))]),
    );
  });
});
