import { formatPlain } from "../../lib/kit/deferredJson.ts";
import { type BlockId, formatBlockId } from "../../model/block/BlockId.ts";

/** A proof that holds memory until it is written. */
export interface HeldProof {
  /** Its JSON. */
  json(): unknown;
  /** The same as text, without the braces, if it is written at once. */
  readonly text?: string | undefined;
  release(): void;
}

/** How an answer was made: the data of `@extra` and of the trace headers. */
export class AnswerNotes {
  readonly #servers = new Set<number>();
  readonly #steps: { readonly name: string; readonly ms: number }[] = [];
  readonly #headers: string[] = [];
  #block: BlockId | undefined;
  #verified: boolean | undefined;
  #mayBeCached = true;
  #proof: HeldProof | undefined;
  #proofFacts: Readonly<Record<string, unknown>> = {};
  #indexSeqno: number | undefined;
  #isWritten = false;

  /** Notes the index of a lite server that was asked. */
  askedServer(index: number): void {
    this.#servers.add(index);
  }

  /** Notes the masterchain block of the answer; the last one counts. */
  atBlock(block: BlockId): void {
    this.#block = block;
  }

  /** Notes whether the answer was proved. */
  checkedProofs(verified: boolean): void {
    this.#verified = verified;
  }

  /** Notes the proof of the answer, which is sent with it; `release` is called when it was written. */
  provedBy(proof: HeldProof): void {
    if (this.#isWritten) proof.release();
    else this.#proof = proof;
  }

  /** Drops the proof: the answer was written, or there will be none. */
  releaseProof(): void {
    this.#isWritten = true;
    this.#proof?.release();
    this.#proof = undefined;
  }

  /** Notes the duration of a part of the work. */
  took(name: string, ms: number): void {
    this.#steps.push({ name, ms });
  }

  /** Adds a header to the answer, for data without a place in the body. */
  addHeader(name: string, value: string): void {
    this.#headers.push(name, value);
  }

  /** Marks an answer that may be outdated soon: it is not cached. */
  doNotKeep(): void {
    this.#mayBeCached = false;
  }

  /** Notes more fields of the proof. */
  addToProof(facts: Readonly<Record<string, unknown>>): void {
    this.#proofFacts = { ...this.#proofFacts, ...facts };
  }

  /** The proof as JSON, until it is released. */
  get proof(): unknown {
    return this.#proof && { ...Object(this.#proof.json()), ...this.#proofFacts };
  }

  /** The same as text, without the braces; undefined where it is not written at once. */
  get proofText(): string | undefined {
    const text = this.#proof?.text;
    if (text === undefined || Object.keys(this.#proofFacts).length === 0) return text;
    return `${text},${formatPlain(this.#proofFacts).slice(1, -1)}`;
  }

  /** Notes the newest masterchain block in the index. */
  atIndex(seqno: number): void {
    this.#indexSeqno = seqno;
  }

  get indexSeqno(): number | undefined {
    return this.#indexSeqno;
  }

  get mayBeCached(): boolean {
    return this.#mayBeCached;
  }

  /** Indices of the lite servers, in the form of `@extra`. */
  get servers(): string {
    return this.#servers.size === 0 ? "_" : [...this.#servers].join(",");
  }

  /** Alternating names and values of the headers that every answer has. */
  get headers(): readonly string[] {
    return this.#headers;
  }

  /** Names and values of the trace headers, for requests that ask for them. */
  whyHeaders(): string[] {
    const steps = this.#steps.map(({ name, ms }) => `${name};dur=${Math.round(ms * 1000) / 1000}`);
    return [
      ...(this.#servers.size === 0 ? [] : ["X-Tongate-Server", this.servers]),
      ...(this.#block === undefined ? [] : ["X-Tongate-Block", formatBlockId(this.#block)]),
      ...(this.#verified === undefined ? [] : ["X-Tongate-Verified", String(this.#verified)]),
      ...(steps.length === 0 ? [] : ["Server-Timing", steps.join(", ")]),
    ];
  }
}
