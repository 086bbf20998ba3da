import { runAtOnce } from "../../lib/sharing/steps.ts";
import type { ApiVersion } from "../declare/ApiVersion.ts";
import { AnswerHead, type AnswerHeadModules } from "./AnswerHead.ts";
import { type ByteText, joinPieces, toByteText } from "./answers/byteText.ts";
import type { DirectAnswer, DirectRequest } from "./direct/DirectAnswer.ts";
import { compressFromBytes } from "./EncodedAnswer.ts";
import type { EndpointRunner, RunOutcome } from "./EndpointRunner.ts";
import { readRpc, rpcName } from "./jsonRpc.ts";
import type { RequestAccess } from "./RequestAccess.ts";
import type { MemoEntry, RequestMemo } from "./RequestMemo.ts";
import { reportFailure } from "./reportFailure.ts";

export interface DirectAnswersModules<S> extends AnswerHeadModules {
  readonly apiVersion: ApiVersion<S>;
  readonly runner: EndpointRunner<S>;
  readonly access: RequestAccess;
  readonly memo: RequestMemo;
  readonly isDraining: () => boolean;
  readonly maxBodyBytes: number;
}

/**
 * Answers strictly read requests whose answers are cached, at once and without Node's HTTP objects. The URL or the body
 * was answered before in the ordinary way, by the same handler, so its route and its arguments are known; admission,
 * limits, headers, metrics and logs are those of the ordinary way.
 */
export class DirectAnswers<S> {
  readonly #modules: DirectAnswersModules<S>;
  readonly #rpcPaths: ReadonlySet<string>;
  readonly #beginning: ByteText;

  constructor(modules: DirectAnswersModules<S>) {
    const { base, rpcPath, rpcAliases = [], beginning } = modules.apiVersion;
    this.#modules = modules;
    this.#rpcPaths = new Set(rpcPath === undefined ? [] : [`${base}${rpcPath}`, ...rpcAliases]);
    this.#beginning = toByteText(beginning);
  }

  /** The answer; undefined, and nothing counted, if the request must go the ordinary way. */
  find(request: DirectRequest): DirectAnswer | undefined {
    const { apiVersion, isDraining, access } = this.#modules;
    const kind = access.findKind(request);
    if (kind === undefined || isDraining()) return undefined;
    if (apiVersion.argHeaders?.some((name) => request.headers[name] !== undefined)) return undefined;
    return request.method === "GET" ? this.#get(request, kind) : this.#rpc(request, kind);
  }

  #get(request: DirectRequest, kind: Kind): DirectAnswer | undefined {
    const url = this.#modules.memo.urls.find(request.url);
    return url === undefined || !this.#isShort(url, kind) ? undefined : this.#answer(request, "GET", url);
  }

  #rpc(request: DirectRequest, kind: Kind): DirectAnswer | undefined {
    const { memo, maxBodyBytes } = this.#modules;
    if (!this.#rpcPaths.has(request.url) || Number(request.headers["content-length"]) > maxBodyBytes) return undefined;
    const whole = memo.bodies.find(request.body);
    const memoEntry = whole ?? this.#findCall(request.body);
    if (memoEntry === undefined || !this.#isShort(memoEntry, kind)) return undefined;
    if (whole === undefined) memo.noteBody(request.body, memoEntry);
    return this.#answer(request, "RPC", memoEntry);
  }

  /** The answer to a call that was seen with another id; what is no single call goes the ordinary way. */
  #findCall(body: string): MemoEntry | undefined {
    if (!body.startsWith("{") || body.length > maxCallLength) return undefined;
    try {
      const read = runAtOnce(readRpc(body));
      return read.kind === "single" ? this.#modules.memo.findCall(read.item) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether the answer is cached, sent in one write without compression, and has no header that Node refuses. */
  #isShort({ slot }: MemoEntry, kind: Kind): boolean {
    const encoded = this.#modules.runner.peekCached(slot, kind);
    return (
      encoded !== undefined &&
      encoded.length < compressFromBytes &&
      encoded.notes.headers.every((text) => sendable.test(text))
    );
  }

  #answer(request: DirectRequest, via: "GET" | "RPC", { name, slot, echo }: MemoEntry): DirectAnswer | undefined {
    const { access, runner } = this.#modules;
    // Whatever is called by JSON-RPC, a refused caller has called JSON-RPC.
    const head = new AnswerHead(via === "RPC" ? rpcName : name, via, request.headers, this.#modules);
    try {
      const caller = access.admit(request, undefined);
      head.name = name;
      const outcome = caller instanceof Promise ? undefined : runner.findCached(slot, caller);
      return outcome && this.#succeed(head, outcome, echo);
    } catch (error) {
      return this.#refuse(head, error);
    }
  }

  #succeed(head: AnswerHead, outcome: RunOutcome, echo: string): DirectAnswer {
    const { encoded, source } = outcome;
    const own = head.outcomeHeaders(outcome);
    if (head.isUnchanged(own)) return finish(head, 304, "" as ByteText, own);
    const end = toByteText(this.#modules.apiVersion.end({ source, notes: encoded.notes }, head.moment(), echo));
    return finish(head, 200, `${this.#beginning}${joinPieces(encoded.pieces)}${end}` as ByteText, own);
  }

  #refuse(head: AnswerHead, error: unknown): DirectAnswer {
    const { apiVersion } = this.#modules;
    reportFailure({ request: head.id, endpoint: head.name }, error, this.#modules);
    const refusal = apiVersion.refuse(error, head.moment(), "");
    return finish(head, refusal.status, toByteText(refusal.body), head.refusalHeaders(refusal, error, undefined));
  }
}

const sendable = /^[\x20-\x7e]*$/;
/** Longer calls are seldom equal, and take long to read in one piece. */
const maxCallLength = 8192;

type Kind = Parameters<EndpointRunner<unknown>["peekCached"]>[1];

function finish(head: AnswerHead, status: number, body: ByteText, own: readonly string[]): DirectAnswer {
  const headers = head.headers(body.length, own);
  head.note(status, body.length);
  return { status, headers, body };
}
