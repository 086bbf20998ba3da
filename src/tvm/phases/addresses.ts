import { beginCell } from "../../cell/Builder.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { getParam } from "../../model/config/readConfig.ts";
import { type WorkchainDescr, Workchains } from "../../model/config/WorkchainDescr.ts";
import { hashToBytes } from "../../model/Hash.ts";
import type { Draft } from "./Draft.ts";
import type { Rules } from "./rules.ts";

/** The source that an outgoing message gets; `undefined` when it names another account. */
export function findSource({ address, account }: Draft, src: Slice): Slice | undefined {
  const bits = src.remainingBits;
  if (bits === 2) return sliceOf(address);
  const isOwn = [address, account.exactAddress].some(
    (own) => own.bitLength === bits && src.clone().commonBits(sliceOf(own), bits) === bits,
  );
  return isOwn ? src : undefined;
}

export interface Destination {
  readonly address: Slice;
  readonly isMasterchain: boolean;
}

interface AddressParts {
  readonly depth: number;
  readonly prefix: number;
  readonly workchain: number;
  readonly account: Slice;
  readonly isVariable: boolean;
}

/** The destination of a message in the form it is sent with; `undefined` when no message can go there. */
export function findDestination(draft: Draft, dest: Slice, anycast: "allowed" | "refused"): Destination | undefined {
  if (!dest.clone().loadBit()) return { address: dest, isMasterchain: false };
  const parts = loadParts(dest.clone());
  const { depth, prefix, workchain, account } = parts;
  if (!isLengthAllowed(draft.rules, workchain, account.remainingBits)) return undefined;
  if (depth > 0 && anycast === "refused") return undefined;
  const own =
    depth === 0 ? 0 : sliceOf(beginCell().storeBits(hashToBytes(draft.account.id), depth).cell()).loadUint(depth);
  const isShort = account.remainingBits === 256 && workchain >= -128 && workchain < 128;
  const isKept = own === prefix && !(parts.isVariable && isShort);
  const address = isKept ? dest : storeParts({ ...parts, prefix: own }, isShort);
  return { address, isMasterchain: workchain === masterchain };
}

function loadParts(slice: Slice): AddressParts {
  const isVariable = slice.loadUint(2) === 3;
  const depth = slice.loadBit() ? slice.loadUint(5) : 0;
  const prefix = slice.loadUint(depth);
  const length = isVariable ? slice.loadUint(9) : 256;
  const workchain = slice.loadInt(isVariable ? 32 : 8);
  return { depth, prefix, workchain, account: slice.loadPart(length, 0), isVariable };
}

function storeParts({ depth, prefix, workchain, account }: AddressParts, isShort: boolean): Slice {
  const builder = beginCell()
    .storeUint(isShort ? 2 : 3, 2)
    .storeBit(depth > 0);
  if (depth > 0) builder.storeUint(depth, 5).storeUint(prefix, depth);
  if (!isShort) builder.storeUint(account.remainingBits, 9);
  builder.storeInt(workchain, isShort ? 8 : 32).storeSlice(account);
  return sliceOf(builder.cell());
}

function isLengthAllowed(rules: Rules, workchain: number, bits: number): boolean {
  if (workchain === masterchain) return bits === 256;
  const found = findWorkchain(rules, workchain);
  if (found?.acceptMessages !== true) return false;
  if (found.format.kind === "basic") return bits === 256;
  const { minAddressLength: min, maxAddressLength: max, addressLengthStep: step } = found.format;
  if (bits < min || bits > max) return false;
  return bits === min || bits === max || (step > 0 && (bits - min) % step === 0);
}

const known = new WeakMap<Rules, Map<number, WorkchainDescr>>();

/** Every message that is sent looks one up. */
function findWorkchain(rules: Rules, id: number): WorkchainDescr | undefined {
  const workchains = known.get(rules) ?? new Map<number, WorkchainDescr>();
  known.set(rules, workchains);
  const found = workchains.get(id) ?? getParam(rules.config, 12, Workchains).find(id);
  if (found !== undefined) workchains.set(id, found);
  return found;
}
