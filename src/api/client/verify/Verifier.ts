import type { Chain } from "../../../chain/Chain.ts";
import { ChainCaches } from "../../../chain/ChainCaches.ts";
import type { Clock } from "../../../lib/clock.ts";
import { asText, formatJson, type JsonInput, type JsonValue } from "../../../lib/json.ts";
import { Lru } from "../../../lib/lru.ts";
import type { SignedBy } from "../../../lite/queries/signatures.ts";
import { TrustedChain, type TrustedHead } from "../../../lite/queries/TrustedChain.ts";
import { ValidatorGroups } from "../../../lite/queries/validators.ts";
import { ExchangeReplayer } from "../../../lite/server/ExchangeReplayer.ts";
import { nameOfNetwork, type TrustedStart } from "../../../lite/server/knownNetworks.ts";
import { type BlockIdExt, sameBlock } from "../../../model/block/BlockId.ts";
import type { Executor } from "../../../tvm/Executor.ts";
import { AnswerNotes } from "../../declare/AnswerNotes.ts";
import type { Endpoint } from "../../declare/endpoint.ts";
import type { ProveShown } from "../../declare/proof.ts";
import { findProof, type ReceivedProof } from "../../declare/proofForm.ts";
import type { V2Services } from "../../v2/declare.ts";
import { checkAge } from "./checkAge.ts";
import { computeResult } from "./computeResult.ts";
import { orUnproved } from "./reasons.ts";
import type { TrustedBlocks } from "./TrustedBlocks.ts";
import type { ProofReport, ReceiverOptions } from "./TrustOptions.ts";
import { UnprovedError } from "./UnprovedError.ts";

/** An answer as it was received. */
export interface ReceivedAnswer {
  readonly result: unknown;
  readonly proof: unknown;
}

/** A request whose answer is checked. */
export interface CheckedCall<S> {
  readonly endpoint: Endpoint<S>;
  /** Decoded as the server decodes them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The trusted block that the request named. */
  readonly since: BlockIdExt;
  readonly signal: AbortSignal;
}

export interface VerifierModules<S> {
  readonly start: TrustedStart;
  readonly trusted: TrustedBlocks;
  readonly executor: Executor;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly maxAge: number;
  readonly onProof?: ReceiverOptions["onProof"];
  /** What the endpoints get besides the chain. */
  readonly services: (chains: V2Services["chains"]) => S;
}

/** A proved head, and who signed it. */
interface SignedHead {
  readonly head: TrustedHead;
  readonly signedBy: SignedBy | undefined;
}

interface ProvedResult {
  readonly computed: JsonValue;
  /** Absent for a result that follows from the arguments. */
  readonly proved: Omit<ProofReport, "ms"> | undefined;
}

/** The number of proved heads that are remembered. */
const headBytes = 256;

/**
 * Checks answers against a trusted block: it proves the head, computes the result from the lite answers in the proof
 * with the functions of the server, and compares it with the result that was sent.
 */
export class Verifier<S> {
  readonly #modules: VerifierModules<S>;
  readonly #groups = new ValidatorGroups();
  readonly #caches = new ChainCaches();
  readonly #heads = new Lru<string, SignedHead>({ maxBytes: headBytes, sizeOf: () => 1 });

  constructor(modules: VerifierModules<S>) {
    this.#modules = modules;
  }

  /** The result, computed here; throws `UnprovedError` if it is not proved, or not the one that was sent. */
  async check(call: CheckedCall<S>, { result, proof }: ReceivedAnswer): Promise<JsonValue> {
    const { endpoint } = call;
    const { name } = endpoint;
    if (proof === undefined)
      throw new UnprovedError("verify/no-proof", `${name}: the server sent no proof; it may be too old, or lie`);
    const { operation = name } = Object(proof) as { readonly operation?: unknown };
    if (operation !== name) {
      throw new UnprovedError(
        "verify/other-operation",
        `${name}: the server sent the answer of another operation, ${asText(operation).slice(0, 80)}`,
      );
    }
    const { clock, onProof } = this.#modules;
    const startedMs = clock.monotonic();
    const { computed, proved } = await this.#computeProved(call, { result, proof });
    if (proved !== undefined) onProof?.({ ...proved, ms: clock.monotonic() - startedMs });
    return computed;
  }

  /** What the proof gives; it must equal the received result, or contain its proved part. */
  async #computeProved(call: CheckedCall<S>, answer: ReceivedAnswer): Promise<ProvedResult> {
    const { name, proof } = call.endpoint;
    if (proof.by === "shown") return this.#checkShown(call, proof.prove, answer);
    const notes = new AnswerNotes();
    const own =
      proof.by === "arguments"
        ? { computed: await this.#compute(call, notes), proved: undefined }
        : await this.#prove(call, answer.proof, notes);
    if (answer.result === undefined || formatJson(own.computed) !== formatJson(answer.result as JsonInput))
      throw new UnprovedError("verify/changed", `${name}: the server sent a result that its own proof contradicts`);
    return own;
  }

  /** The part of an answer of an index that the chain proves; nothing else of it comes through. */
  async #checkShown(call: CheckedCall<S>, prove: ProveShown, answer: ReceivedAnswer): Promise<ProvedResult> {
    const { name } = call.endpoint;
    const { chain, head, proof, facts } = await this.#openProved(call, answer.proof);
    checkAge(name, head, this.#modules);
    if (proof.at === undefined) throw unknownForm(name);
    // What was received is JSON.
    const shown = { result: (answer.result ?? null) as JsonValue, at: proof.at, places: proof.places };
    // Answers of v2 do not need it.
    const { provePart } = await import("./provePart.ts");
    const computed = await provePart(name, () => prove(chain, call.args, shown), shown.result, this.#modules);
    return { computed, proved: facts };
  }

  async #openProved(call: CheckedCall<S>, json: unknown) {
    const { name } = call.endpoint;
    const proof = this.#readProof(call, json);
    const replayer = new ExchangeReplayer(proof.exchanges);
    const { head, signedBy } = await orUnproved("head", name, () => this.#proveHead(call, proof, replayer));
    const { seqno, rootHash } = head.block;
    const bytes = proof.exchanges.reduce((sum, { query, answer }) => sum + query.length + answer.length, 0);
    const at = { seqno, rootHash, madeAt: head.genUtime, since: call.since.seqno };
    const facts = { operation: name, ...at, signedBy, bytes };
    return { proof, head, facts, chain: this.#chainOf(head, replayer, call.signal) };
  }

  async #prove(call: CheckedCall<S>, json: unknown, notes: AnswerNotes): Promise<ProvedResult> {
    const { name } = call.endpoint;
    const { head, chain, facts } = await this.#openProved(call, json);
    const isLasting = call.endpoint.cache(call.args) === "forever";
    if (!isLasting) checkAge(name, head, this.#modules);
    const computed = await orUnproved("answer", name, () => this.#compute(call, notes, chain));
    if (!notes.mayBeCached) checkAge(name, head, this.#modules);
    return { computed, proved: facts };
  }

  #readProof({ endpoint: { name }, since }: CheckedCall<S>, json: unknown): ReceivedProof {
    const proof = findProof(json);
    if (proof === undefined) throw unknownForm(name);
    const network = nameOfNetwork(this.#modules.start.zeroState);
    if (proof.network !== network) {
      throw new UnprovedError(
        "verify/network",
        `${name}: the server is of the network ${proof.network}, not ${network}`,
      );
    }
    if (!sameBlock(proof.since, since)) {
      throw new UnprovedError(
        "verify/start",
        `${name}: the proof begins at another block ${proof.since.seqno} than the trusted block ${since.seqno}; the server is of another network, or its network was made anew`,
      );
    }
    return proof;
  }

  async #proveHead(
    { since, signal }: CheckedCall<S>,
    { block }: ReceivedProof,
    replayer: ExchangeReplayer,
  ): Promise<SignedHead> {
    const known = this.#heads.find(block.rootHash);
    if (known !== undefined && sameBlock(known.head.block, block)) return known;
    const { start, trusted } = this.#modules;
    const { zeroState } = start;
    let keyBlock: BlockIdExt | undefined;
    const onKeyBlock = (newer: BlockIdExt) => {
      keyBlock = newer;
    };
    let signedBy: SignedBy | undefined;
    const onSigned = (by: SignedBy) => {
      signedBy = by;
    };
    const options = { start: since, zeroState, proofs: "check", onKeyBlock, onSigned, groups: this.#groups } as const;
    const head = await new TrustedChain(options).prove(replayer, block, { signal });
    this.#heads.set(block.rootHash, { head, signedBy });
    if (keyBlock !== undefined) await trusted.add(keyBlock);
    return { head, signedBy };
  }

  #chainOf(head: TrustedHead, server: ExchangeReplayer, signal: AbortSignal): Chain {
    const { start, executor, clock } = this.#modules;
    const nowAt = () => Math.floor(clock.now() / 1000);
    const common = { executor, caches: this.#caches, asking: { signal }, nowAt, askedServers: () => [] };
    return { server, head, ...start, ...common };
  }

  /** Runs the endpoint as the server does; without a chain for one whose result follows from its arguments. */
  async #compute(
    { endpoint, args, signal, since }: CheckedCall<S>,
    notes: AnswerNotes,
    chain?: Chain,
  ): Promise<JsonValue> {
    const open = () => {
      if (chain === undefined) throw new UnprovedError("verify/form", `${endpoint.name}: the proof has no block`);
      return chain;
    };
    const services = this.#modules.services({ open });
    return computeResult(endpoint, services, args, { signal, notes, proof: { since: since.seqno } });
  }
}

function unknownForm(name: string): UnprovedError {
  return new UnprovedError("verify/form", `${name}: the proof is of an unknown form; a newer client may know it`);
}
