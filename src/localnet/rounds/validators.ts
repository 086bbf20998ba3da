import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { keyId } from "../../lite/adnl/publicKeys.ts";
import type { signatureSet } from "../../lite/tl/liteRecords.ts";
import type { TlValue } from "../../lite/tl/types.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import { type Hash, hashFromBytes, hashToBytes } from "../../model/Hash.ts";

export type BlockSignatureSet = TlValue<typeof signatureSet>;

// The bytes before the 32 bytes of a private key in its DER form (RFC 8410).
const derPrefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** A validator of a local network. */
export class LocalValidator {
  readonly publicKey: Hash;
  /** Its id in signatures. */
  readonly id: Hash;
  /** Zero if the configuration has none. */
  readonly adnlAddress: Hash;
  readonly #key: KeyObject;

  constructor(seed: Uint8Array, adnlAddress: Hash) {
    this.#key = createPrivateKey({ key: Buffer.concat([derPrefix, seed]), format: "der", type: "pkcs8" });
    const publicDer = createPublicKey(this.#key).export({ format: "der", type: "spki" });
    this.publicKey = hashFromBytes(publicDer.subarray(-32));
    this.id = hashFromBytes(keyId(hashToBytes(this.publicKey)));
    this.adnlAddress = adnlAddress;
  }

  /** Its signature of a block, in the form of the older consensus. */
  sign({ rootHash, fileHash }: BlockIdExt): BlockSignatureSet["signatures"][number] {
    const message = Buffer.concat([Buffer.from("706e0bc5", "hex"), hashToBytes(rootHash), hashToBytes(fileHash)]);
    return { nodeIdShort: hashToBytes(this.id), signature: this.signBytes(message) };
  }

  signBytes(bytes: Uint8Array): Uint8Array {
    return new Uint8Array(sign(null, bytes, this.#key));
  }
}
