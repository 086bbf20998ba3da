import { openVerifier } from "../../../src/api/client/verify/openVerifier.ts";
import type { ReceiverOptions } from "../../../src/api/client/verify/TrustOptions.ts";
import type { ReceivedAnswer } from "../../../src/api/client/verify/Verifier.ts";
import type { ProofJson } from "../../../src/api/declare/proofForm.ts";
import type { V2Services } from "../../../src/api/v2/declare.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { LiveChains } from "../../../src/chain/LiveChains.ts";
import { serverSource } from "../../../src/chain/serverSource.ts";
import { fromBase64, toBase64 } from "../../../src/lib/bytes.ts";
import type { Clock } from "../../../src/lib/clock.ts";
import { formatJson, type JsonInput, parseJson } from "../../../src/lib/json.ts";
import type { TrustedStart } from "../../../src/lite/server/knownNetworks.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import type { RecordLimits } from "../../../src/lite/server/RecordBudget.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";
import { openApiServer, type TestServer, type TestServerOptions } from "./apiServer.ts";
import type { Dice } from "./Dice.ts";
import { trustOf } from "./provedRecords.ts";

/** An answer with its proof, as JSON. */
export interface ProvedAnswer {
  readonly result: JsonInput;
  readonly proof: ProofJson;
}

/** Changes an answer on its way, as a server that lies would. */
export type Lie = (answer: ProvedAnswer) => ReceivedAnswer;

/** Sends a method of JSON-RPC over a real connection; throws the text of an error. */
export async function askRpc(origin: string, method: string, params: JsonInput): Promise<ProvedAnswer> {
  const body = formatJson({ method, params });
  const response = await fetch(`${origin}/api/v2/jsonRPC`, { method: "POST", body });
  const { ok, error, result, proof } = Object(parseJson(await response.text(), { maxLength: 1 << 26 }));
  if (ok !== true) throw new Error(error);
  return { result, proof };
}

interface ProofModules {
  readonly executor: Executor;
  readonly clock: Clock;
  readonly recordLimits?: RecordLimits;
}

/** Serves v2 over a ledger. */
export async function serveProofs(
  { ledger, lite }: { readonly ledger: Ledger; readonly lite: LiteServer },
  { executor, clock, recordLimits }: ProofModules,
  options: TestServerOptions = {},
): Promise<TestServer & { readonly services: V2Services & { readonly chains: LiveChains } }> {
  const head = () => ({ block: ledger.headId, genUtime: ledger.head?.info.genUtime ?? 0 });
  const limits = recordLimits && { recordLimits };
  const source = serverSource(lite, head);
  const chains = new LiveChains({ source, executor, clock, zeroState: ledger.zero.id, ...limits });
  const services = { isLive: () => true, chains };
  const server = await openApiServer(v2Api, services, { head: () => ledger.headId.seqno, ...options });
  return { ...server, services };
}

/** A client that checks answers of a server; the server may lie. */
export function openProvingClient(
  origin: string,
  { start, clock, ...options }: Partial<ReceiverOptions> & { readonly start: TrustedStart; readonly clock: Clock },
) {
  const verifier = openVerifier({ trust: trustOf(start), ...options }, clock);
  return (name: string, args: JsonInput, lie: Lie = (answer) => answer) =>
    verifier.ask(name, args, async (given) => lie(await askRpc(origin, name, given)));
}

/** Checks an answer that was received before; nothing is sent. */
export function checkReceived(
  [name, args]: readonly [name: string, args: JsonInput],
  answer: ReceivedAnswer,
  { start, clock }: { readonly start: TrustedStart; readonly clock: Clock },
): Promise<unknown> {
  return openVerifier({ trust: trustOf(start) }, clock).ask(name, args, async () => answer);
}

/** Changes one byte of a lite answer, or one character of the JSON of the result or of the proof. */
export function mutateAnswer(answer: ProvedAnswer, dice: Dice): ReceivedAnswer {
  const { answers } = answer.proof;
  if (answers.length > 0 && dice.int(3) > 0) {
    const at = dice.int(answers.length);
    const changed = answers.map(([query, bytes], i) =>
      i === at ? [query, toBase64(flip(fromBase64(bytes), dice))] : [query, bytes],
    );
    return { ...answer, proof: { ...answer.proof, answers: changed } };
  }
  const { answers: _answers, ...rest } = answer.proof;
  const text = JSON.stringify({ result: answer.result, proof: rest });
  const at = dice.int(text.length);
  const other = String.fromCharCode(32 + dice.int(95));
  try {
    const { result, proof } = JSON.parse(text.slice(0, at) + other + text.slice(at + 1));
    return { result, proof: { ...proof, answers } };
  } catch {
    return { result: undefined, proof: answer.proof };
  }
}

function flip(bytes: Uint8Array, dice: Dice): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = dice.int(copy.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << dice.int(8));
  return copy;
}
