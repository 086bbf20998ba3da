import { existsSync } from "node:fs";
import { join } from "node:path";
import { listFiles, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { LiveChains } from "../../../src/chain/LiveChains.ts";
import { serverSource } from "../../../src/chain/serverSource.ts";
import { fromBase64, fromHex } from "../../../src/lib/bytes.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { decodeAnswer, findServerError } from "../../../src/lite/server/LiteServer.ts";
import { getBlockProof, sendMessage } from "../../../src/lite/tl/liteQueries.ts";
import { decodeQuery, unwrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import type { ServedSignatures, Submission } from "../../../src/localnet/answers/kit/AnswerContext.ts";
import { importChain } from "../../../src/localnet/ledger/importChain.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { recordingClock } from "../../../src/localnet/recording/openRecording.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";

/** One lite-server exchange from any recording. */
interface Exchange {
  readonly request: string;
  readonly response: string | null;
}

/** A recorded chain under v2: blocks from the recording, signatures and message results from the recorded exchanges. */
export function openRecordedChains(folder: string, name: string, executor: Executor): RecordedChains {
  const ledger = importChain(join(folder, name));
  const exchanges = readExchanges(folder, name);
  const signatures = new Map([...tonlibSignatures(folder, name, ledger), ...recordedSignatures(exchanges)]);
  return openLedgerChains(ledger, executor, { signatures, submissions: recordedSubmissions(exchanges) });
}

interface Outside {
  readonly signatures: ReadonlyMap<string, ServedSignatures>;
  readonly submissions: ReadonlyMap<string, Submission>;
}

const nothingOutside: Outside = { signatures: new Map(), submissions: new Map() };

/** A ledger under v2; messages without a recorded result are accepted. */
export function openLedgerChains(ledger: Ledger, executor: Executor, outside = nothingOutside): RecordedChains {
  const { signatures, submissions } = outside;
  const clock = recordingClock(ledger, systemClock);
  const server = new LocalLiteServer({
    ledger,
    clock,
    signatures: (block) => signatures.get(block.rootHash),
    submit: async ({ hash }) => submissions.get(hash) ?? { kind: "accepted" },
  });
  const head = { block: ledger.headId, genUtime: ledger.head?.info.genUtime ?? 0 };
  const source = serverSource(server, () => head);
  const zeroState = ledger.zero.id;
  return { server, chains: new LiveChains({ source, executor, clock, zeroState }) };
}

export interface RecordedChains {
  readonly server: LocalLiteServer;
  readonly chains: LiveChains;
}

function readExchanges(folder: string, name: string): readonly Exchange[] {
  const plain = listFiles(folder, join(name, "lite"), ".jsonl.gz").flatMap(
    (file) => readJsonLinesGz(folder, file) as unknown as Exchange[],
  );
  const spoken = readLines(folder, join(name, "tonlib/conversations.jsonl.gz")) as unknown as {
    readonly lite: readonly Exchange[];
  }[];
  return [...plain, ...spoken.flatMap(({ lite }) => lite)];
}

/** The lines of an optional file. */
function readLines(folder: string, path: string): unknown[] {
  return existsSync(join(folder, path)) ? readJsonLinesGz(folder, path) : [];
}

function decodedQueryOf({ request }: Exchange) {
  try {
    return decodeQuery(unwrapQuery(fromHex(request)));
  } catch {
    // Some recorded requests are deliberately not queries.
    return undefined;
  }
}

function recordedSignatures(exchanges: readonly Exchange[]): Map<string, ServedSignatures> {
  const servedSignatureses = new Map<string, ServedSignatures>();
  for (const exchange of exchanges) {
    if (exchange.response === null || decodedQueryOf(exchange)?.query.id !== getBlockProof.id) continue;
    const answer = fromBase64(exchange.response);
    if (findServerError(answer) !== undefined) continue;
    for (const step of decodeAnswer(getBlockProof, answer).steps)
      if (step.kind === "forward") servedSignatureses.set(blockIdFromTl(step.to).rootHash, step.signatures);
  }
  return servedSignatureses;
}

interface ReportedSignatures {
  readonly "@type": string;
  readonly id: { readonly seqno: number };
  readonly signatures: readonly { readonly node_id_short: string; readonly signature: string }[];
  readonly session_id: string;
  readonly slot: number;
  readonly candidate: string;
}

function tonlibSignatures(folder: string, name: string, ledger: Ledger): Map<string, ServedSignatures> {
  const answers = readLines(folder, join(name, "tonlib/answers.jsonl.gz")) as unknown as {
    readonly response: ReportedSignatures;
  }[];
  return reportedSignatures(
    answers.map(({ response }) => response),
    ledger,
  );
}

/** Signatures reported by another client; our client verifies them before use. */
export function reportedSignatures(answers: readonly unknown[], ledger: Ledger): Map<string, ServedSignatures> {
  const servedSignatureses = new Map<string, ServedSignatures>();
  for (const response of answers) {
    if (!isReportedSignatures(response)) continue;
    const { id, info } = ledger.getMaster(response.id.seqno);
    servedSignatureses.set(id.rootHash, {
      kind: "simplex",
      ccSeqno: info.genCatchainSeqno,
      validatorSetHash: info.genValidatorListHashShort | 0,
      signatures: response.signatures.map(({ node_id_short: node, signature }) => ({
        nodeIdShort: fromBase64(node),
        signature: fromBase64(signature),
      })),
      sessionId: fromBase64(response.session_id),
      slot: response.slot,
      candidate: fromBase64(response.candidate),
    });
  }
  return servedSignatureses;
}

function isReportedSignatures(answer: unknown): answer is ReportedSignatures {
  return Object(answer)["@type"] === "blocks.blockSignatures.simplex";
}

const refusedPrefix = "cannot apply external message to current state : ";

function recordedSubmissions(exchanges: readonly Exchange[]): Map<string, Submission> {
  const submissions = new Map<string, Submission>();
  for (const exchange of exchanges) {
    const decoded = decodedQueryOf(exchange);
    if (exchange.response === null || decoded?.query.id !== sendMessage.id) continue;
    const { body } = decoded.args as { readonly body: Uint8Array };
    const error = findServerError(fromBase64(exchange.response));
    const message = error?.message.replace(refusedPrefix, "") ?? "";
    const outcome: Submission =
      error === undefined ? { kind: "accepted" } : { kind: "refused", code: error.code, message };
    try {
      submissions.set(readRoot(body).hash(), outcome);
    } catch {
      // Invalid bags of cells are rejected earlier.
    }
  }
  return submissions;
}
