import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { keyId } from "../../lite/adnl/keys.ts";
import { groupHashShort } from "../../lite/queries/validators.ts";
import type { signatureSet } from "../../lite/tl/liteRecords.ts";
import type { TlValue } from "../../lite/tl/types.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { type Hash, hashFromBytes, hashToBytes } from "../../model/Hash.ts";

export type BlockSignatureSet = TlValue<typeof signatureSet>;

// The bytes before the 32 bytes of a private key in its DER form (RFC 8410).
const derPrefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** The one validator of a local network. */
export class LocalValidator {
  readonly publicKey: Hash;
  /** Its id in signatures. */
  readonly id: Hash;
  readonly weight: bigint;
  /** Part of the group's hash; zero if the configuration has none. */
  readonly adnlAddress: Hash;
  readonly #key: KeyObject;

  constructor(seed: Uint8Array, weight: bigint, adnlAddress: Hash) {
    this.#key = createPrivateKey({ key: Buffer.concat([derPrefix, seed]), format: "der", type: "pkcs8" });
    const publicDer = createPublicKey(this.#key).export({ format: "der", type: "spki" });
    this.publicKey = hashFromBytes(publicDer.subarray(-32));
    this.id = hashFromBytes(keyId(hashToBytes(this.publicKey)));
    this.weight = weight;
    this.adnlAddress = adnlAddress;
  }

  /** Signs a block in the form of the older consensus. */
  sign(block: BlockIdExt, catchainSeqno: number): BlockSignatureSet {
    const message = Buffer.concat([
      Buffer.from("706e0bc5", "hex"),
      hashToBytes(block.rootHash),
      hashToBytes(block.fileHash),
    ]);
    return {
      kind: "ordinary",
      validatorSetHash: groupHash(this, this.weight, catchainSeqno) | 0,
      catchainSeqno,
      signatures: [{ nodeIdShort: hashToBytes(this.id), signature: this.signBytes(message) }],
    };
  }

  signBytes(bytes: Uint8Array): Uint8Array {
    return new Uint8Array(sign(null, bytes, this.#key));
  }
}

/** Identifies a group of one validator; in shards its weight counts as one. */
export function groupHash(
  { publicKey, adnlAddress }: Pick<LocalValidator, "publicKey" | "adnlAddress">,
  weight: bigint,
  catchainSeqno: number,
): number {
  return groupHashShort([{ publicKey: hashToBytes(publicKey), weight, adnlAddress }], catchainSeqno);
}
