import { Type } from "typebox";
import type { ChainProof } from "../../chain/proofs/proveAnswer.ts";
import { fromBase64, toBase64 } from "../../lib/bytes.ts";
import type { JsonValue } from "../../lib/json.ts";
import { deferJson, writeList } from "../../lib/kit/deferredJson.ts";
import { objectSchema } from "../../lib/kit/shape.ts";
import type { Exchange } from "../../lite/server/ExchangeRecorder.ts";
import { nameOfNetwork } from "../../lite/server/knownNetworks.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { findHash, hashToBase64 } from "../../model/Hash.ts";
import { encodeBytes } from "./encodeBag.ts";

/** The form of proofs; a receiver refuses any other. */
export const proofForm = 1;

/** A masterchain block in a proof. */
interface ProofBlock {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

/** The proof of an answer as JSON; that of an answer which follows from its arguments has no blocks. */
export interface ProofJson {
  readonly form: typeof proofForm;
  /** The operation that was asked for. */
  readonly operation?: string;
  readonly network?: string;
  readonly block?: ProofBlock;
  readonly since?: ProofBlock;
  /** Seqno of the masterchain block up to which the index had answered. */
  readonly at?: number;
  /** Whether a list leaves nothing out between its first and its last row. */
  readonly complete?: boolean;
  /** Where the transactions are that an answer of the index names by hash. */
  readonly places?: readonly JsonValue[];
  /** Queries to lite servers with their answers, in base64. */
  readonly answers: readonly (readonly [query: string, answer: string])[];
}

const blockSchema = objectSchema({
  workchain: ["Always -1.", Type.Integer()],
  shard: ["Always -9223372036854775808.", Type.String()],
  seqno: ["Sequence number of the block.", Type.Integer()],
  root_hash: ["Hash of the block's root cell, in base64.", Type.String()],
  file_hash: ["Hash of the block's file, in base64.", Type.String()],
});

/** The schema of a proof. */
export const proofSchema = objectSchema({
  form: ["Form of the proof.", Type.Literal(proofForm)],
  operation: ["Name of the operation whose answer it proves.", Type.Optional(Type.String())],
  network: ["`mainnet`, `testnet`, or the root hash of the network's zero state.", Type.Optional(Type.String())],
  block: ["Newest masterchain block when the answer was computed.", Type.Optional(blockSchema)],
  since: ["Block from which the signatures lead to that block.", Type.Optional(blockSchema)],
  at: ["Seqno of the newest masterchain block in the index, for answers of the index.", Type.Optional(Type.Integer())],
  complete: ["True if a list leaves nothing out between its first and last row.", Type.Optional(Type.Literal(true))],
  places: [
    "Where the transactions are that rows of the index name by hash: hash, account, lt and block of each.",
    Type.Optional(Type.Array(Type.Object({}))),
  ],
  answers: [
    "Queries to lite servers with their answers, in base64: the result follows from them.",
    Type.Array(Type.Array(Type.String())),
  ],
});

/** The proof of an answer that follows from its arguments. */
export const emptyProof: ProofJson = { form: proofForm, answers: [] };

/** Answers of more bytes are written in steps. */
const writtenAtOnce = 48 << 10;

/** The JSON of a proof; its answers are encoded when they are written, in steps if there are many bytes of them. */
export function encodeProof({ zeroState, block, since, exchanges }: ChainProof): ProofJson {
  return {
    form: proofForm,
    network: nameOfNetwork(zeroState),
    block: encodeBlock(block),
    since: encodeBlock(since),
    answers: isLong(exchanges)
      ? deferJson((sink) => writeList(sink, exchanges, exchangeForm))
      : exchanges.map(exchangeForm.encode),
  };
}

/** Proofs of exchanges that caches keep, by the last of these: those of the head are the same for all its answers. */
const written = new WeakMap<Exchange, { readonly proof: ChainProof; readonly text: string }>();

/**
 * The same as text, without the braces; undefined for a proof that is written in steps. A proof of exchanges that
 * caches keep is written once.
 */
export function formatProof(proof: ChainProof): string | undefined {
  const { exchanges } = proof;
  const last = exchanges.at(-1);
  const known = last && written.get(last);
  if (known !== undefined && isSame(known.proof, proof)) return known.text;
  if (isLong(exchanges)) return undefined;
  const text = joinProof(proof);
  if (last === undefined || exchanges.some(({ texts }) => texts === undefined)) return text;
  // A copy: a text that was put together is put together again by everyone who reads it.
  const copy = Buffer.from(text, "latin1").toString("latin1");
  written.set(last, { proof, text: copy });
  return copy;
}

function isSame(a: ChainProof, b: ChainProof): boolean {
  const { zeroState, block, since, exchanges } = a;
  return (
    zeroState === b.zeroState &&
    block === b.block &&
    since === b.since &&
    exchanges.length === b.exchanges.length &&
    exchanges.every((each, i) => each === b.exchanges[i])
  );
}

/** Base64 needs no escapes, so that the texts of exchanges, which caches keep, are not looked at again. */
function joinProof({ zeroState, block, since, exchanges }: ChainProof): string {
  let answers = "";
  for (const exchange of exchanges) {
    const [query, answer] = exchangeForm.encode(exchange);
    answers += `${answers === "" ? "" : ","}["${query}","${answer}"]`;
  }
  const blocks = `"block":${blockTextOf(block)},"since":${blockTextOf(since)}`;
  return `"form":${proofForm},"network":${networkTextOf(zeroState)},${blocks},"answers":[${answers}]`;
}

function isLong(exchanges: readonly Exchange[]): boolean {
  let bytes = 0;
  for (const { query, answer } of exchanges) bytes += query.length + answer.length;
  return bytes > writtenAtOnce;
}

/** Most proofs have the same newest block, and every proof the same network: what is written of one is made once. */
const networkTextOf = onceForEach((block) => JSON.stringify(nameOfNetwork(block)));
const blockTextOf = onceForEach((block) => JSON.stringify(encodeBlock(block)));

function onceForEach(make: (block: BlockIdExt) => string): (block: BlockIdExt) => string {
  const made = new WeakMap<BlockIdExt, string>();
  return (block) => {
    const known = made.get(block);
    if (known !== undefined) return known;
    const text = make(block);
    made.set(block, text);
    return text;
  };
}

const exchangeForm = {
  encode: ({ texts, query, answer }: Exchange) => texts ?? ([toBase64(query), encodeBytes(answer)] as const),
};

function encodeBlock({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): ProofBlock {
  return {
    workchain,
    shard: BigInt.asIntN(64, shard).toString(),
    seqno,
    root_hash: hashToBase64(rootHash),
    file_hash: hashToBase64(fileHash),
  };
}

/** A proof as its receiver reads it. */
export interface ReceivedProof {
  readonly network: string;
  readonly block: BlockIdExt;
  readonly since: BlockIdExt;
  readonly at: number | undefined;
  readonly places: readonly JsonValue[] | undefined;
  readonly exchanges: readonly Exchange[];
}

/** The proof in an answer; undefined if it is not of this form. */
export function findProof(json: unknown): ReceivedProof | undefined {
  const { form, network, block, since, at, places, answers } = Object(json) as Readonly<Record<string, unknown>>;
  const [head, start, exchanges] = [findBlock(block), findBlock(since), findExchanges(answers)];
  if (form !== proofForm || typeof network !== "string") return undefined;
  if (head === undefined || start === undefined || exchanges === undefined) return undefined;
  const index = {
    at: Number.isInteger(at) ? Number(at) : undefined,
    places: Array.isArray(places) ? places : undefined,
  };
  return { network, block: head, since: start, ...index, exchanges };
}

function findBlock(json: unknown): BlockIdExt | undefined {
  const { workchain, shard, seqno, root_hash: root, file_hash: file } = Object(json) as Partial<ProofBlock>;
  const [rootHash, fileHash] = [findHash(String(root)), findHash(String(file))];
  if (workchain !== masterchain || shard !== BigInt.asIntN(64, wholeShard).toString()) return undefined;
  if (rootHash === undefined || fileHash === undefined || !Number.isInteger(seqno)) return undefined;
  return { workchain, shard: wholeShard, seqno: Number(seqno), rootHash, fileHash };
}

function findExchanges(json: unknown): readonly Exchange[] | undefined {
  if (!Array.isArray(json)) return undefined;
  try {
    return json.map((pair: unknown) => {
      const [query, answer] = pair as readonly unknown[];
      return { query: fromBase64(String(query)), answer: fromBase64(String(answer)) };
    });
  } catch {
    return undefined;
  }
}
