import { uint16, uint32, uint64, union, type ValueOf } from "../../cell/codec.ts";
import { dictionary, inlineDictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { checked } from "../checked.ts";
import { hash } from "../Hash.ts";
import { SigPubKey } from "./Signature.ts";

// validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr;
// validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 = ValidatorDescr;
export const ValidatorDescr = union({
  plain: ["#53", { publicKey: SigPubKey, weight: uint64 }],
  withAddress: ["#73", { publicKey: SigPubKey, weight: uint64, adnlAddress: hash }],
});
export type ValidatorDescr = ValueOf<typeof ValidatorDescr>;

const head = { sinceAt: uint32, untilAt: uint32, total: uint16, main: uint16 };
const index = uintKey(16);

// validators#11 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16)
//   { main <= total } { main >= 1 } list:(Hashmap 16 ValidatorDescr) = ValidatorSet;
// validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16)
//   { main <= total } { main >= 1 } total_weight:uint64 list:(HashmapE 16 ValidatorDescr) = ValidatorSet;
export const ValidatorSet = checked(
  union({
    plain: ["#11", { ...head, list: inlineDictionary(index, ValidatorDescr) }],
    extended: ["#12", { ...head, totalWeight: uint64, list: dictionary(index, ValidatorDescr) }],
  }),
  ({ main, total }) => main >= 1 && main <= total,
  "1 <= main <= total",
);
export type ValidatorSet = ValueOf<typeof ValidatorSet>;
