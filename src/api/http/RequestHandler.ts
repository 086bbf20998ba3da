import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Clock } from "../../lib/clock.ts";
import type { IpRange } from "../../lib/ip.ts";
import type { Log } from "../../lib/log.ts";
import type { AccessControl, PageKind } from "../access/Gatekeeper.ts";
import type { ApiVersion } from "../declare/ApiVersion.ts";
import type { Endpoint } from "../declare/endpoint.ts";
import { ApiError } from "../declare/errors.ts";
import { checkProvable, findProofRequest, mayAskForProof, type ProofRequest, withoutProof } from "../declare/proof.ts";
import { ArgReader, firstOf, parseQuery, type RequestReader } from "../declare/requestArgs.ts";
import type { Metrics, Via } from "../metrics.ts";
import { type Answers, BatchBudget } from "./answers/Answers.ts";
import { type AnswerPiece, type ByteText, toByteText } from "./answers/byteText.ts";
import { andThen, type MaybePromise, orElse } from "./answers/maybePromise.ts";
import { shareProofs } from "./answers/shareProofs.ts";
import type { UnsentAnswers } from "./answers/UnsentAnswers.ts";
import type { Call } from "./Call.ts";
import { DirectAnswers } from "./DirectAnswers.ts";
import type { EndpointRunner, RunOutcome } from "./EndpointRunner.ts";
import { HttpExchange } from "./HttpExchange.ts";
import { type RpcItem, readRpc, rpcName } from "./jsonRpc.ts";
import { pathReader, type ReadPath } from "./pathArgs.ts";
import { RequestAccess } from "./RequestAccess.ts";
import { type MemoEntry, type Remember, RequestMemo } from "./RequestMemo.ts";
import { readBody, readInTurns } from "./readBody.ts";
import { findBytesForm, readBodyArgs } from "./readBodyArgs.ts";
import { reportFailure } from "./reportFailure.ts";
import type { ServedFile } from "./sendFile.ts";

export interface RequestHandlerOptions {
  readonly maxBodyBytes: number;
  readonly maxUrlBytes: number;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly IpRange[];
  /** Refuses parameters that an endpoint does not have, where the API version otherwise only names them. */
  readonly strictParameters?: boolean;
}

export interface RequestHandlerModules<S> {
  readonly apiVersion: ApiVersion<S>;
  readonly runner: EndpointRunner<S>;
  readonly answers: Answers;
  readonly access: AccessControl;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** An id for a request without one. */
  readonly nextId: () => string;
  readonly isDraining: () => boolean;
}

/** An endpoint with the readers of its arguments. */
interface ReadyEndpoint<S> {
  readonly endpoint: Endpoint<S>;
  readonly reader: RequestReader;
  readonly readPath: ReadPath;
}

/** A decoded request. */
interface EndpointCall<S> {
  readonly endpoint: Endpoint<S>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly proof: ProofRequest | undefined;
}

/**
 * Handles the requests of one API version. It uses Node's HTTP objects and is independent of the framework, which only
 * routes. A cached answer is sent in the same turn of the event loop.
 */
export class RequestHandler<S> {
  /** For requests that need no more than a cached answer. */
  readonly direct: Pick<DirectAnswers<S>, "find">;
  readonly #options: RequestHandlerOptions;
  readonly #modules: RequestHandlerModules<S> & { readonly unsent: UnsentAnswers };
  readonly #endpoints: ReadonlyMap<string, ReadyEndpoint<S>>;
  readonly #access: RequestAccess;
  readonly #seen = new RequestMemo();
  readonly #beginning: ByteText;

  constructor(options: RequestHandlerOptions, modules: RequestHandlerModules<S>) {
    this.#options = options;
    this.#modules = { unsent: modules.answers.unsent, ...modules };
    const { beginning, endpoints, makeReader = (args) => new ArgReader(args) } = modules.apiVersion;
    this.#beginning = toByteText(beginning);
    this.#access = new RequestAccess(modules.access, options.trustedProxies);
    const { maxBodyBytes } = options;
    this.direct = new DirectAnswers({ ...modules, access: this.#access, memo: this.#seen, maxBodyBytes });
    this.#endpoints = new Map(
      endpoints.map((endpoint) => [
        endpoint.name,
        { endpoint, reader: makeReader(endpoint.args), readPath: pathReader(modules.apiVersion.base, endpoint.path) },
      ]),
    );
  }

  /** Answers a request with its arguments in the query. */
  get(name: string, request: IncomingMessage, response: ServerResponse): void {
    const exchange = this.#open(name, "GET", request, response);
    this.#answer(exchange, () => {
      const memoEntry = this.#bearsArguments(request) ? undefined : this.#seen.urls.find(request.url ?? "");
      if (memoEntry === undefined) return this.#getByQuery(exchange, name, (key) => this.#admit(exchange, key));
      return andThen(this.#admit(exchange, undefined), () => {
        const kept = this.#findCached(memoEntry, exchange);
        return kept === undefined
          ? this.#getByQuery(exchange, name, () => undefined)
          : this.#succeed(exchange, kept.outcome, "");
      });
    });
  }

  /** Reads the query and runs the endpoint; `admit` is called with the key in the query or the path. */
  #getByQuery(
    exchange: HttpExchange,
    name: string,
    admit: (key: string | undefined) => MaybePromise<void>,
  ): MaybePromise<void> {
    const { url = "", headers } = exchange.request;
    const query = parseQuery(queryOf(exchange.request));
    const { endpoint, reader, readPath } = this.#getEndpoint(name);
    const { key = firstOf(query, "api_key"), args: inPath } = readPath(url);
    const enter = endpoint.isGuarded ? (by?: string) => this.#admitChange(exchange, by) : admit;
    const admitted = endpoint.isUncounted ? undefined : enter(key);
    return andThen(admitted, () => {
      const proof = findProofRequest(query, headers);
      this.#noteUnknown(exchange, reader, Object.keys(withoutProof(query)));
      const args = reader.fromQuery(inPath === undefined ? query : { ...query, ...inPath }, headers);
      // A URL with a key or unknown names is never cached: it must be parsed each time.
      const isPlain = !this.#bearsArguments(exchange.request) && key === undefined && !exchange.head.hasUnknown;
      const remember = isPlain ? { memory: this.#seen.urls, words: url, echo: "" } : undefined;
      const outcome = this.#run(exchange, { endpoint, args, proof }, remember);
      return andThen(outcome, (done) => this.#succeedOver(exchange, done, endpoint));
    });
  }

  /** Reports parameters that the endpoint does not have in a header, or rejects them. */
  #noteUnknown(exchange: HttpExchange, reader: RequestReader, names: readonly string[]): void {
    const unknown = reader.findUnknown?.(names) ?? [];
    if (unknown.length === 0) return;
    if (this.#options.strictParameters === true)
      throw new ApiError("api/argument", `unknown parameter: ${unknown[0]?.slice(0, 80)}`);
    exchange.head.noteUnknown(unknown);
  }

  /** Answers a request with its arguments in the body. */
  post(name: string, request: IncomingMessage, response: ServerResponse): void {
    const exchange = this.#open(name, "POST", request, response);
    this.#answer(exchange, async () => {
      const { endpoint, reader, readPath } = this.#getEndpoint(name);
      const { key = firstOf(parseQuery(queryOf(request)), "api_key"), args: inPath } = readPath(request.url ?? "");
      await this.#admitChange(exchange, key);
      const bytes = findBytesForm(this.#modules.apiVersion, request.headers);
      const body = await readBodyArgs(request, this.#modules.apiVersion, bytes, this.#options.maxBodyBytes);
      const [proof, inBody] = [findProofRequest(body, request.headers), withoutProof(body)];
      const given = this.#isAlias(name) ? { ...parseQuery(queryOf(request)), ...inBody } : inBody;
      this.#noteUnknown(exchange, reader, Object.keys(given));
      const args = reader.fromObject(inPath === undefined ? given : { ...given, ...inPath }, request.headers);
      const outcome = await this.#run(exchange, { endpoint, args, proof });
      return bytes === undefined
        ? this.#succeedOver(exchange, outcome, endpoint)
        : exchange.sendBytes(outcome, bytes.frame);
    });
  }

  /** Whether it is another's name of an endpoint, whose clients may send arguments in the query of a POST. */
  #isAlias(name: string): boolean {
    const { rootPrefix } = this.#modules.apiVersion;
    return rootPrefix !== undefined && name.startsWith(rootPrefix);
  }

  /** Answers with a file, to those who may change what is served: a copy of it is as good as it. */
  file(name: string, request: IncomingMessage, response: ServerResponse, find: (name: string) => ServedFile): void {
    const exchange = this.#open(name, "GET", request, response);
    this.#answer(exchange, async () => {
      const query = parseQuery(queryOf(request));
      await this.#admitChange(exchange, firstOf(query, "api_key"));
      await exchange.sendFile(find(firstOf(query, "name") ?? ""));
    });
  }

  /** Answers JSON-RPC. */
  rpc(request: IncomingMessage, response: ServerResponse): void {
    const exchange = this.#open(rpcName, "RPC", request, response);
    this.#answer(exchange, async () => {
      await this.#admit(exchange, firstOf(parseQuery(queryOf(request)), "api_key"));
      const text = await readBody(request, this.#options.maxBodyBytes);
      const known = this.#bearsArguments(request) ? undefined : this.#seen.bodies.find(text);
      const kept = this.#findCached(known, exchange);
      if (kept !== undefined) {
        exchange.head.name = kept.seen.name;
        return this.#succeed(exchange, kept.outcome, kept.seen.echo);
      }
      const body = await readInTurns(readRpc(text));
      if (body.kind === "single") return this.#runRpc(exchange, body.item, this.#seen.ofRpc(body.item, text));
      return this.#runBatch(exchange, body.items);
    });
  }

  /** Counts a request for a page by the limits of its client; continues, or answers the error. */
  admitPage(kind: PageKind, request: IncomingMessage, response: ServerResponse, go: () => void): void {
    orElse(
      () =>
        andThen(
          this.#modules.access.admitPage?.(kind, () => this.#access.clientName(request)),
          go,
        ),
      (error) => this.#refuse(this.#open("none", "other", request, response), error, ""),
    );
  }

  /** Answers an error where no endpoint was reached. */
  refuse(error: ApiError, request: IncomingMessage, response: ServerResponse): void {
    const exchange = this.#open("none", "other", request, response);
    this.#refuse(exchange, error, "");
  }

  /** The raw bytes of an error answer, for connections without a valid request. */
  refuseRaw(error: ApiError): string {
    const { apiVersion, clock } = this.#modules;
    const { status, body } = apiVersion.refuse(error, { nowMs: clock.now(), elapsedMs: 0 }, "");
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}`,
      `Content-Type: ${apiVersion.contentType ?? "application/json"}`,
      "X-Content-Type-Options: nosniff",
      `X-API-Version: ${apiVersion.version}`,
      "Access-Control-Allow-Origin: *",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
    ];
    return `${head.join("\r\n")}\r\n\r\n${body}`;
  }

  #open(name: string, via: Via, request: IncomingMessage, response: ServerResponse): HttpExchange {
    return new HttpExchange({ name, via, request, response }, this.#modules);
  }

  /** Turns every error into an answer. */
  #answer(exchange: HttpExchange, work: () => MaybePromise<void>): void {
    const { maxUrlBytes } = this.#options;
    if ((exchange.request.url?.length ?? 0) > maxUrlBytes) {
      this.#refuse(exchange, new ApiError("api/url-size", `the URL is too long (limit ${maxUrlBytes} bytes)`), "");
      return;
    }
    orElse(work, (error) => this.#refuse(exchange, error, ""));
  }

  #getEndpoint(name: string): ReadyEndpoint<S> {
    const ready = this.#endpoints.get(name);
    if (ready === undefined) throw new ApiError("api/rpc-method", `method ${name.slice(0, 80)} does not exist`);
    return ready;
  }

  #admit(exchange: HttpExchange, otherKey: string | undefined): MaybePromise<void> {
    return andThen(this.#access.admit(exchange.request, otherKey), (caller) => {
      exchange.head.caller = caller;
    });
  }

  /** Admits a request that may change what is served. */
  async #admitChange(exchange: HttpExchange, otherKey: string | undefined): Promise<void> {
    const { checkPost, checkKeyless } = this.#modules.apiVersion;
    checkPost?.(this.#access.originOf(exchange.request));
    await this.#admit(exchange, otherKey);
    if (exchange.caller.kind === "keyless") checkKeyless?.(this.#access.originOf(exchange.request));
  }

  /** Whether the request has arguments in its headers. */
  #bearsArguments({ headers }: IncomingMessage): boolean {
    return this.#modules.apiVersion.argHeaders?.some((name) => headers[name] !== undefined) ?? false;
  }

  /** The cached answer to a known request. */
  #findCached(
    memoEntry: MemoEntry | undefined,
    { caller }: HttpExchange,
  ): { readonly seen: MemoEntry; readonly outcome: RunOutcome } | undefined {
    const outcome = memoEntry && this.#modules.runner.findCached(memoEntry.slot, caller);
    return memoEntry && outcome && { seen: memoEntry, outcome };
  }

  #run(
    exchange: HttpExchange,
    { endpoint, args, proof }: EndpointCall<S>,
    remember?: Remember,
    call: Call = exchange,
  ): MaybePromise<RunOutcome> {
    const { runner } = this.#modules;
    if (proof !== undefined) return this.#runProved(exchange, endpoint, args, exchange.withProof(proof, call.memory));
    const slot = runner.placeOf(endpoint, args);
    if (remember !== undefined && slot.rule !== "none" && !endpoint.isBare)
      remember.memory.add(remember.words, { name: endpoint.name, slot, echo: remember.echo });
    return runner.run(endpoint, args, call, slot);
  }

  /** A request with a proof counts as several, also where the rate allows fewer at once, and is read anew each time. */
  async #runProved(
    { caller }: HttpExchange,
    endpoint: Endpoint<S>,
    args: EndpointCall<S>["args"],
    call: Call,
  ): Promise<RunOutcome> {
    const { access, runner } = this.#modules;
    const weight = checkProvable(endpoint);
    await access.addWeight(caller, weight - 1);
    return runner.run(endpoint, args, call);
  }

  #runRpc(exchange: HttpExchange, item: RpcItem, remember: Remember | undefined): MaybePromise<void> {
    const known = this.#bearsArguments(exchange.request) ? undefined : remember?.memory.find(remember.words);
    const kept = this.#findCached(known, exchange);
    if (item.asked.kind === "call" && this.#endpoints.has(item.asked.method)) exchange.head.name = item.asked.method;
    if (kept !== undefined) return this.#succeed(exchange, kept.outcome, item.echo);
    return orElse(
      () => andThen(this.#ask(exchange, item, remember), (outcome) => this.#succeed(exchange, outcome, item.echo)),
      (error) => this.#refuse(exchange, error, item.echo),
    );
  }

  #ask(
    exchange: HttpExchange,
    { asked }: RpcItem,
    remember?: Remember,
    call: Call = exchange,
  ): MaybePromise<RunOutcome> {
    if (asked.kind === "refused") throw asked.error;
    const { endpoint, reader } = this.#getEndpoint(asked.method);
    // JSON-RPC has the methods that POST has.
    if (!endpoint.methods.includes("POST"))
      throw new ApiError("api/rpc-method", `method ${asked.method} does not exist; use GET`);
    const { headers } = exchange.request;
    const proof = findProofRequest(asked.params, headers);
    const args = reader.fromObject(withoutProof(asked.params), headers);
    return this.#run(exchange, { endpoint, args, proof }, remember, call);
  }

  async #runBatch(exchange: HttpExchange, items: readonly RpcItem[]): Promise<void> {
    const budget = new BatchBudget(this.#modules.answers);
    const parts = await Promise.all(
      items.map((item, index) => this.#batchPart(exchange, item, index > 0, budget)),
    ).finally(() => budget.close());
    const { headers } = exchange.request;
    const hasProofs = items.some(({ asked }) => asked.kind === "call" && mayAskForProof(asked.params, headers));
    const pieces = (hasProofs ? shareProofs(parts) : parts).flatMap((part, index) => [
      (index === 0 ? "[" : ",") as ByteText,
      ...part,
    ]);
    exchange.sendPieces([...pieces, "]" as ByteText]);
  }

  /** Admission counted the first request of a batch; each further one is counted here. */
  async #batchPart(
    exchange: HttpExchange,
    item: RpcItem,
    isFurther: boolean,
    budget: BatchBudget,
  ): Promise<readonly AnswerPiece[]> {
    const { apiVersion, access, runner } = this.#modules;
    try {
      if (isFurther) await access.charge(exchange.caller);
      const outcome = await this.#ask(exchange, item, undefined, exchange.countedBy(budget));
      budget.reserve(outcome.encoded.length);
      return [this.#beginning, ...outcome.encoded.pieces, this.#endOf(exchange, outcome, item.echo)];
    } catch (error) {
      this.#report(exchange, error);
      return [toByteText(apiVersion.refuse(error, exchange.head.moment(), item.echo, runner.findNotes(error)).body)];
    }
  }

  #succeedOver(exchange: HttpExchange, outcome: RunOutcome, { isBare }: Endpoint<S>): MaybePromise<void> {
    if (!isBare) return this.#succeed(exchange, outcome, "");
    return exchange.sendPieces(outcome.encoded.pieces, [], outcome.encoded);
  }

  #succeed(exchange: HttpExchange, outcome: RunOutcome, echo: string): MaybePromise<void> {
    return exchange.sendOutcome(outcome, this.#beginning, this.#endOf(exchange, outcome, echo));
  }

  #endOf(exchange: HttpExchange, { source, encoded }: RunOutcome, echo: string): ByteText {
    const facts = { source, notes: encoded.notes };
    return toByteText(this.#modules.apiVersion.end(facts, exchange.head.moment(), echo));
  }

  #refuse(exchange: HttpExchange, error: unknown, echo: string): void {
    this.#report(exchange, error);
    const { apiVersion, runner } = this.#modules;
    const notes = runner.findNotes(error);
    exchange.refuse(apiVersion.refuse(error, exchange.head.moment(), echo, notes), error, notes);
  }

  #report(exchange: HttpExchange, error: unknown): void {
    reportFailure({ request: exchange.id, endpoint: exchange.head.name }, error, this.#modules);
  }
}

/** The part of the URL after the question mark. */
function queryOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at === -1 ? "" : url.slice(at + 1);
}
