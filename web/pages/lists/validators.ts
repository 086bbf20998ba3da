import { listInline } from "../../cells/dictionary.ts";
import { parseBag } from "../../cells/parseBag.ts";
import { Slice } from "../../cells/Slice.ts";

export interface Validator {
  readonly publicKey: string;
  readonly adnl: string | undefined;
  readonly weight: bigint;
}

/** The validators of a time. */
export interface ValidatorSet {
  readonly since: number;
  readonly until: number;
  /** How many of them make masterchain blocks: the first ones. */
  readonly main: number;
  readonly totalWeight: bigint;
  readonly list: readonly Validator[];
}

/**
 * validators#11 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) list:(Hashmap 16 ValidatorDescr) = ValidatorSet;
 * validators_ext#12 utime_since:uint32 utime_until:uint32 total:(## 16) main:(## 16) total_weight:uint64 list:(HashmapE 16 ValidatorDescr) = ValidatorSet;
 */
export function readValidators(boc: string): ValidatorSet {
  const [root] = parseBag(boc);
  if (root === undefined) return { since: 0, until: 0, main: 0, totalWeight: 0n, list: [] };
  const slice = new Slice(root);
  const hasTotal = slice.hex(8) === "12";
  const [since, until] = [Number(slice.uint(32)), Number(slice.uint(32))];
  slice.uint(16);
  const main = Number(slice.uint(16));
  if (hasTotal) slice.uint(64);
  const isEmpty = hasTotal && slice.bit() === 0;
  const entries = isEmpty ? [] : listInline(hasTotal ? new Slice(slice.ref()) : slice, 16);
  const list = entries.map(([, value]) => readValidator(value));
  return { since, until, main, totalWeight: list.reduce((sum, { weight }) => sum + weight, 0n), list };
}

// validator#53 public_key:SigPubKey weight:uint64 = ValidatorDescr;
// validator_addr#73 public_key:SigPubKey weight:uint64 adnl_addr:bits256 = ValidatorDescr;
// ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
function readValidator(slice: Slice): Validator {
  const hasAdnl = slice.hex(8) === "73";
  slice.uint(32);
  return { publicKey: slice.hex(256), weight: slice.uint(64), adnl: hasAdnl ? slice.hex(256) : undefined };
}
