import { createHash, verify } from "node:crypto";
import { type BlockIdExt, formatBlockId, sameBlock } from "../../model/block/BlockId.ts";
import { hashFromBytes, hashToBytes } from "../../model/Hash.ts";
import { candidateHashData, dataToSign, finalizeVote } from "../tl/consensusRecords.ts";
import type { signatureSet } from "../tl/liteRecords.ts";
import { decode, encode, type TlValue } from "../tl/types.ts";
import { blockIdFromTl } from "./ids.ts";
import { proofError } from "./proven.ts";
import type { Validator, ValidatorGroup } from "./validators.ts";

export type CheckedSignatures = TlValue<typeof signatureSet>;

/** Magic of the block id that the older consensus signs. */
const ordinaryMagic = Buffer.from("706e0bc5", "hex");

/** The bytes whose signatures make a block final. */
export function signedBytes(block: BlockIdExt, set: CheckedSignatures): Uint8Array {
  if (set.kind === "ordinary")
    return Buffer.concat([ordinaryMagic, hashToBytes(block.rootHash), hashToBytes(block.fileHash)]);
  const candidate = decode(candidateHashData, set.candidate);
  if (!sameBlock(blockIdFromTl(candidate.block), block))
    throw proofError(`signatures for another block than ${formatBlockId(block)}`);
  const id = { kind: "id" as const, slot: set.slot, hash: createHash("sha256").update(set.candidate).digest() };
  const vote = encode(finalizeVote.boxed, { id });
  return encode(dataToSign.boxed, { sessionId: set.sessionId, data: vote });
}

/** Who signed a block. */
export interface SignedBy {
  readonly signatures: number;
  /** Of the validators that signed, and of all of them. */
  readonly weight: bigint;
  readonly totalWeight: bigint;
}

/** Checks that more than two thirds of the group's weight signed the block. */
export function checkSignatures(block: BlockIdExt, set: CheckedSignatures, group: ValidatorGroup): SignedBy {
  if (set.validatorSetHash >>> 0 !== group.hashShort) throw proofError("signatures of another validator group");
  const message = signedBytes(block, set);
  const signers = listSigners(set, group);
  const weight = signers.reduce((sum, { validator }) => sum + validator.weight, 0n);
  // The cheap check first: checking one signature takes longer than adding all weights.
  if (weight * 3n <= group.totalWeight * 2n)
    throw proofError(`only ${weight} of weight ${group.totalWeight} signed ${formatBlockId(block)}`, "weight");
  for (const { validator, signature } of signers) {
    if (signature.length !== 64 || !verify(null, message, validator.verifyingKey(), signature))
      throw proofError(`the signature of ${validator.id} is wrong`, "signature");
  }
  return { signatures: signers.length, weight, totalWeight: group.totalWeight };
}

interface Signer {
  readonly validator: Validator;
  readonly signature: Uint8Array;
}

function listSigners(set: CheckedSignatures, group: ValidatorGroup): Signer[] {
  const validators = new Set<Validator>();
  return set.signatures.map(({ nodeIdShort, signature }) => {
    const id = hashFromBytes(nodeIdShort);
    const validator = group.byId.get(id);
    if (validator === undefined || validators.has(validator))
      throw proofError(`a signature of ${id}, who is not a validator or signed twice`, "signature");
    validators.add(validator);
    return { validator, signature };
  });
}
