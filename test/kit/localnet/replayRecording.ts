import type { LiteExchange } from "../../../kit/lite/liteExchanges.ts";
import { listProvable, plainValue, provenBy } from "../../../kit/lite/provenAnswer.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import type { Hash } from "../../../src/cell/Hash.ts";
import { fromBase64, fromHex } from "../../../src/lib/bytes.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { decodeAnswer, findServerError } from "../../../src/lite/server/LiteServer.ts";
import { getTime, runSmcMethod } from "../../../src/lite/tl/liteQueries.ts";
import { unwrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import type { LocalMethodResult, Submission } from "../../../src/localnet/answers/kit/AnswerContext.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { signaturesIn } from "../../../src/localnet/recording/recordedSignatures.ts";
import { VmStackValue } from "../../../src/model/vm/VmStack.ts";

/** Number of queries of a kind, and of answers with the same value and with the same bytes. */
export interface ReplayCount {
  count: number;
  sameValue: number;
  sameBytes: number;
}

/** Sends every recorded query again and compares the answers, by group of the recording. */
export async function replayRecording(
  ledger: Ledger,
  exchanges: readonly LiteExchange[],
): Promise<Map<string, ReplayCount>> {
  const table = new Map<string, ReplayCount>();
  let recorded: Recorded | undefined;
  const server = new LocalLiteServer({
    ledger,
    clock: { ...systemClock, now: () => recordedTime(exchanges) * 1000 },
    ...answersOfTheRest(exchanges, () => recorded),
  });
  const { signal } = new AbortController();
  for (const exchange of exchanges) {
    const query = findQuery(exchange);
    if (exchange.response === null || query === undefined) continue;
    const row = table.get(exchange.group) ?? { count: 0, sameValue: 0, sameBytes: 0 };
    table.set(exchange.group, row);
    recorded = { query, answer: fromBase64(exchange.response) };
    const answer = await server.ask(query, { signal });
    const isSame = Buffer.compare(answer, recorded.answer) === 0;
    row.count++;
    if (isSame) row.sameBytes++;
    if (isProvedSame(exchange, answer, isSame)) row.sameValue++;
  }
  await server.close();
  return table;
}

interface Recorded {
  readonly query: Uint8Array;
  readonly answer: Uint8Array;
}

function findQuery({ request }: LiteExchange): Uint8Array | undefined {
  try {
    return unwrapQuery(fromHex(request));
  } catch {
    return undefined;
  }
}

/** Compares the values that our client proves from both answers; without proofs the bytes decide. */
function isProvedSame(exchange: LiteExchange, answer: Uint8Array, isSame: boolean): boolean {
  const [provable] = listProvable([exchange]);
  if (provable === undefined) return isSame;
  const { request } = provable;
  const value = (bytes: Uint8Array) => plainValue(provenBy(request, decodeAnswer(request.query, bytes)));
  return JSON.stringify(value(answer)) === JSON.stringify(value(provable.answer));
}

/** The time of the recording. */
function recordedTime(exchanges: readonly LiteExchange[]): number {
  const exchange = exchanges.find(({ group, response }) => group === "getTime" && response !== null);
  return exchange === undefined ? 0 : decodeAnswer(getTime, fromBase64(exchange.response ?? "")).now;
}

/**
 * Data that the lite server gets from elsewhere, taken from the recording: get-method runs, submissions, signatures.
 */
function answersOfTheRest(exchanges: readonly LiteExchange[], current: () => Recorded | undefined) {
  const signatures = signaturesIn(exchanges);
  return {
    signatures: (block: { readonly rootHash: Hash }) => signatures.get(block.rootHash),
    submit: async (): Promise<Submission> => recordedSubmission(current()?.answer ?? new Uint8Array()),
    runMethod: async (): Promise<LocalMethodResult> => recordedRun(current()?.answer ?? new Uint8Array()),
  };
}

function recordedSubmission(answer: Uint8Array): Submission {
  const error = findServerError(answer);
  if (error === undefined) return { kind: "accepted" };
  const message = error.message.replace("cannot apply external message to current state : ", "");
  return { kind: "refused", code: error.code, message };
}

function recordedRun(answer: Uint8Array): LocalMethodResult {
  const { exitCode, result, stateProof, initC7 } = decodeAnswer(runSmcMethod, answer);
  const c7 = initC7 === undefined ? undefined : readRoot(initC7);
  return {
    exitCode,
    stack: result === undefined ? beginCell().storeUint(0, 24).cell() : readRoot(result),
    opened: stateProof === undefined ? undefined : openedHashes(readRoot(stateProof).ref(0)),
    c7,
    randomSeed: c7 === undefined ? undefined : seedIn(c7),
  };
}

function openedHashes(root: Cell): Set<Hash> {
  const hashes = new Set<Hash>();
  const stack = [root];
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    if (cell.kind === CellKind.pruned || hashes.has(cell.hash(0))) continue;
    hashes.add(cell.hash(0));
    stack.push(...cell.refs());
  }
  return hashes;
}

function seedIn(c7: Cell): bigint | undefined {
  const register = loadCell(VmStackValue, c7);
  const info = register.kind === "tuple" ? register.items[0] : undefined;
  const seed = info?.kind === "tuple" ? info.items[6] : undefined;
  return seed?.kind === "int" ? seed.value : undefined;
}
