import type { IncomingMessage, ServerResponse } from "node:http";
import { LibError } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { AnswerNotes } from "../declare/AnswerNotes.ts";
import type { Refusal } from "../declare/ApiVersion.ts";
import type { Caller } from "../declare/Caller.ts";
import type { ProofRequest } from "../declare/proof.ts";
import type { Via } from "../metrics.ts";
import { AnswerHead, type AnswerHeadModules } from "./AnswerHead.ts";
import type { AnswerMemory } from "./answers/AnswerWriter.ts";
import { type AnswerPiece, type ByteText, joinPieces, toByteText } from "./answers/byteText.ts";
import { CancelToken } from "./answers/CancelToken.ts";
import { findBytes } from "./answers/findBytes.ts";
import { closeGzip, type OpenGzip } from "./answers/gzip.ts";
import type { MaybePromise } from "./answers/maybePromise.ts";
import type { UnsentAnswers } from "./answers/UnsentAnswers.ts";
import { cutBytes, piecesFromBytes, writePieces } from "./answers/writePieces.ts";
import type { Call } from "./Call.ts";
import { compressFromBytes, type EncodedAnswer } from "./EncodedAnswer.ts";
import type { RunOutcome } from "./EndpointRunner.ts";
import { readAheadBytes, type ServedFile, sendFile } from "./sendFile.ts";

/** The content type of bodies and answers that are bytes. */
export const bytesType = "application/octet-stream";

export interface HttpExchangeFacts {
  readonly name: string;
  readonly via: Via;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface HttpExchangeModules extends AnswerHeadModules {
  /** Whether the server is stopping: each connection then closes after its current answer. */
  readonly isDraining: () => boolean;
  readonly unsent: UnsentAnswers;
}

/** One request and its answer. */
export class HttpExchange implements Call {
  readonly request: IncomingMessage;
  readonly head: AnswerHead;
  readonly #response: ServerResponse;
  readonly #modules: HttpExchangeModules;
  #gone: CancelToken | undefined;

  constructor({ name, via, request, response }: HttpExchangeFacts, modules: HttpExchangeModules) {
    this.request = request;
    this.head = new AnswerHead(name, via, request.headers, modules);
    this.#response = response;
    this.#modules = modules;
  }

  get id(): string {
    return this.head.id;
  }

  get caller(): Caller {
    return this.head.caller;
  }

  get log(): Log {
    return this.#modules.log.child({ request: this.id });
  }

  /** A call of this request whose answer is counted elsewhere. */
  countedBy(memory: AnswerMemory): Call {
    const { id, caller, log } = this;
    return { id, caller, log, gone: () => this.gone(), memory };
  }

  /** A call of this request whose answer comes with its proof. */
  withProof(proof: ProofRequest, memory: AnswerMemory | undefined): Call {
    const { id, caller, log } = this;
    return { id, caller, log, gone: () => this.gone(), proof, ...(memory && { memory }) };
  }

  gone(): CancelToken {
    this.#gone ??= this.#watchConnection();
    return this.#gone;
  }

  #watchConnection(): CancelToken {
    const gone = new CancelToken();
    const response = this.#response;
    response.once("close", () => {
      if (!response.writableFinished) gone.cancel(new LibError("lib/aborted", "cancelled by the caller"));
    });
    return gone;
  }

  /** Sends a complete answer. */
  send(status: number, body: ByteText, headers: readonly string[] = []): void {
    // A string is sent together with its header, in one write.
    this.#begin(status, body.length, headers).end(body, "latin1");
    this.head.note(status, body.length);
  }

  /** Sends a result in its envelope, compressed if it is large and the client supports it. */
  sendOutcome(outcome: RunOutcome, beginning: ByteText, end: ByteText): MaybePromise<void> {
    const { encoded } = outcome;
    const headers = this.head.outcomeHeaders(outcome);
    if (this.head.isUnchanged(headers)) {
      this.send(304, "" as ByteText, headers);
      return;
    }
    if (encoded.length < compressFromBytes || !acceptsGzip(this.request.headers["accept-encoding"])) {
      const vary = encoded.length < compressFromBytes ? [] : ["Vary", "Accept-Encoding"];
      this.sendPieces([beginning, ...encoded.pieces, end], [...headers, ...vary], encoded);
      return;
    }
    return this.#pack(encoded, beginning).then((open) => {
      const parts = closeGzip(open, end);
      const packing = ["Content-Encoding", "gzip", "Vary", "Accept-Encoding"];
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      const response = this.#begin(200, length, [...headers, ...packing], open);
      if (length < piecesFromBytes) response.end(Buffer.concat(parts));
      else writePieces(response, cutBytes(parts));
      this.head.note(200, beginning.length + encoded.length + end.length);
    });
  }

  /** Sends a result as the bytes whose base64 is between the two texts of its JSON. */
  sendBytes(outcome: RunOutcome, frame: readonly [before: string, after: string]): void {
    const { encoded } = outcome;
    const { length, pieces } = findBytes(encoded.pieces, frame);
    const headers = ["Content-Type", bytesType, ...this.head.outcomeHeaders(outcome)];
    const response = this.#begin(200, length, headers, encoded);
    if (length < piecesFromBytes) response.end(Buffer.concat([...pieces]));
    else writePieces(response, pieces);
    this.head.note(200, length);
  }

  /** Sends a file in pieces, of which only those read ahead count as unsent. */
  async sendFile(file: ServedFile): Promise<void> {
    const response = this.#response;
    const { unsent, isDraining, apiVersion } = this.#modules;
    unsent.take(response, readAheadBytes);
    if (isDraining()) response.shouldKeepAlive = false;
    await sendFile(response, file, ["X-API-Version", apiVersion.version, "X-Request-Id", this.id]);
    this.head.note(200, file.bytes);
  }

  /** The text is in memory while it is compressed. */
  async #pack(encoded: EncodedAnswer, beginning: ByteText): Promise<OpenGzip> {
    const { unsent } = this.#modules;
    const bytes = encoded.length < piecesFromBytes ? 0 : encoded.length;
    unsent.reserve(bytes);
    try {
      return await encoded.packed(beginning, () => this.gone());
    } finally {
      unsent.release(bytes);
    }
  }

  /** Sends a complete answer in pieces; `text` is what holds them in memory. */
  sendPieces(pieces: readonly AnswerPiece[], headers: readonly string[] = [], text?: object): void {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (length < piecesFromBytes) {
      this.send(200, joinPieces(pieces), headers);
      return;
    }
    writePieces(this.#begin(200, length, headers, text), pieces);
    this.head.note(200, length);
  }

  /** Sends an error; impossible once an answer has started. */
  refuse(refusal: Refusal, error: unknown, notes: AnswerNotes | undefined): void {
    if (this.#response.headersSent) this.#response.destroy();
    else this.send(refusal.status, toByteText(refusal.body), this.head.refusalHeaders(refusal, error, notes));
  }

  #begin(status: number, length: number, own: readonly string[], text?: object): ServerResponse {
    const response = this.#response;
    this.#modules.unsent.take(response, length, text);
    if (this.#modules.isDraining()) response.shouldKeepAlive = false;
    return response.writeHead(status, this.head.headers(length, own));
  }
}

/** `gzip` or `*` in the list, unless its weight is zero (RFC 9110, 12.5.3). */
function acceptsGzip(accepted: string | readonly string[] | undefined): boolean {
  return String(accepted ?? "")
    .split(",")
    .some((each) => /^\s*(?:gzip|\*)\s*(?:$|;(?!\s*q=0(?:\.0*)?\s*$))/i.test(each));
}
