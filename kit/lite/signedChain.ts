import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadCell } from "../../src/cell/codec.ts";
import { toHex } from "../../src/lib/bytes.ts";
import type { BlockLink } from "../../src/lite/queries/blockProof.ts";
import type { CheckedSignatures } from "../../src/lite/queries/signatures.ts";
import { Block } from "../../src/model/block/Block.ts";
import { listFiles, readBytes, readJson } from "../suite/corpus.ts";
import { asList, asRecord, asText } from "../suite/record.ts";
import { type LinkEnd, makeForwardLink, readLinkEnd } from "./forwardLink.ts";

/** A block of the corpus with its recorded signatures. */
export interface SignedBlock {
  /** Path of the file with the signatures. */
  readonly path: string;
  readonly network: string;
  readonly end: LinkEnd;
  readonly isKey: boolean;
  readonly signatures: CheckedSignatures;
  /** The signed bytes in hex, from the recording. */
  readonly signedData: string;
  /** Seqno of the key block with the validators. */
  readonly keySeqno: number;
  /** Whether the recording says that the corpus has that key block. */
  readonly isKeyRecorded: boolean;
  /** That key block; `undefined` if the corpus has no file of it. */
  readonly keyBlock: LinkEnd | undefined;
}

/** A block signed by the validators of a key block in the corpus. */
export interface SignedStep extends SignedBlock {
  readonly keyBlock: LinkEnd;
}

/** Recorded signatures of blocks that this corpus does not have. */
export function listUnsignedRecords(folder: string): string[] {
  return listFiles(folder, "proofs/block-signatures", ".json").filter(
    (path) => !existsSync(join(folder, asText(asRecord(asRecord(readJson(folder, path)).expected).block_boc))),
  );
}

/** All blocks with recorded signatures. */
export function listSignedBlocks(folder: string): SignedBlock[] {
  const known = new Map<string, LinkEnd>();
  const readEnd = (path: string): LinkEnd => {
    const end = known.get(path) ?? readLinkEnd(readBytes(folder, path));
    known.set(path, end);
    return end;
  };
  const unsigned = new Set(listUnsignedRecords(folder));
  const paths = listFiles(folder, "proofs/block-signatures", ".json").filter((path) => !unsigned.has(path));
  return paths.map((path) => {
    const { network, signatures_response: response, expected } = asRecord(readJson(folder, path));
    const facts = asRecord(expected);
    const file = asText(facts.block_boc);
    const keySeqno = Number(facts.validator_set_key_block);
    const keyFile = file.replace(/_\d+\.boc$/, `_${keySeqno}.boc`);
    const end = readEnd(file);
    return {
      path,
      network: asText(network),
      end,
      isKey: loadCell(Block, end.root).info.load().keyBlock,
      signatures: readSignatures(path, asRecord(response), end),
      signedData: asText(facts.signed_data_hex),
      keySeqno,
      isKeyRecorded: facts.key_block_in_corpus === true,
      keyBlock: existsSync(join(folder, keyFile)) ? readEnd(keyFile) : undefined,
    };
  });
}

function readSignatures(
  path: string,
  response: Readonly<Record<string, unknown>>,
  { id, root }: LinkEnd,
): CheckedSignatures {
  const named = asText(asRecord(response.id).root_hash);
  if (toHex(Buffer.from(named, "base64")) !== id.rootHash) throw new Error(`${path} is about another block`);
  const info = loadCell(Block, root).info.load();
  return {
    kind: "ordinary",
    validatorSetHash: info.genValidatorListHashShort | 0,
    catchainSeqno: info.genCatchainSeqno,
    signatures: asList(response.signatures)
      .map(asRecord)
      .map(({ node_id_short: name, signature }) => ({
        nodeIdShort: new Uint8Array(Buffer.from(asText(name), "base64")),
        signature: new Uint8Array(Buffer.from(asText(signature), "base64")),
      })),
  };
}

export function isStep(block: SignedBlock): block is SignedStep {
  return block.keyBlock !== undefined;
}

export function linkOf({ keyBlock, end, signatures }: SignedStep): BlockLink {
  return makeForwardLink(keyBlock, end, signatures);
}

/** Chains of steps from key block to key block, as long as possible. */
export function listKeyChains(blocks: readonly SignedBlock[]): SignedStep[][] {
  const steps = blocks.filter(isStep).filter(({ isKey }) => isKey);
  const ends = new Set(steps.map(({ end }) => end.id.rootHash));
  const follow = (step: SignedStep): SignedStep[] => {
    const next = steps.find(({ keyBlock }) => keyBlock.id.rootHash === step.end.id.rootHash);
    return next === undefined ? [step] : [step, ...follow(next)];
  };
  return steps.filter(({ keyBlock }) => !ends.has(keyBlock.id.rootHash)).map(follow);
}

/** The newest key block of the corpus before a signed block, in the same network. */
export function findKeyBlockBefore(blocks: readonly SignedBlock[], signed: SignedBlock): LinkEnd | undefined {
  return blocks
    .filter(({ network }) => network === signed.network)
    .flatMap(({ isKey, end, keyBlock }) => [...(isKey ? [end] : []), ...(keyBlock === undefined ? [] : [keyBlock])])
    .filter(({ id }) => id.seqno < signed.end.id.seqno)
    .sort((a, b) => a.id.seqno - b.id.seqno)
    .at(-1);
}
