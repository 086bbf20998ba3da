import { cell, uint32, uint64, union, type ValueOf } from "../../cell/codec.ts";
import { dictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { CryptoSignaturePair } from "../config/Signature.ts";
import { hash } from "../Hash.ts";

const head = {
  validatorListHashShort: uint32,
  catchainSeqno: uint32,
  signatureCount: uint32,
  signatureWeight: uint64,
  signatures: dictionary(uintKey(16), CryptoSignaturePair),
};

// block_signatures_ordinary#11 validator_list_hash_short:uint32 catchain_seqno:uint32 sig_count:uint32
//   sig_weight:uint64 signatures:(HashmapE 16 CryptoSignaturePair) = BlockSignatures;
// block_signatures_simplex#12 validator_list_hash_short:uint32 catchain_seqno:uint32 sig_count:uint32
//   sig_weight:uint64 signatures:(HashmapE 16 CryptoSignaturePair)
//   session_id:bits256 slot:uint32 candidate_data:^Cell = BlockSignatures;
export const BlockSignatures = union({
  ordinary: ["#11", head],
  simplex: ["#12", { ...head, sessionId: hash, slot: uint32, candidateData: cell }],
});
export type BlockSignatures = ValueOf<typeof BlockSignatures>;
