import { type Builder, beginCell } from "../../cell/Builder.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { CellCounter } from "../../model/CellCounter.ts";
import { firstPart, forwardFee } from "../../model/config/fees.ts";
import { storeMoney, subtractMoney, withCoins } from "../../model/Money.ts";
import { TvmError } from "../errors.ts";
import { findDestination } from "./addresses.ts";
import { type Draft, type InMessage, messageMoney } from "./Draft.ts";

const oldTag = 0xffffffff;
const newTag = 0xfffffffe;
const newFormat = 1n;
const wholeBody = 2n;

/** Whether the message goes back to where it came from. */
export function isBounced({ message, compute, actions }: Draft): boolean {
  if (message?.bounce !== true) return false;
  const failed = compute?.kind !== "vm" || !compute.success;
  return failed || actions?.stateTooLarge === true || actions?.bounce === true;
}

/** Sends back what is left of the message's value, if it pays for the way. */
export function* bounce(draft: Draft, message: InMessage): Steps<void> {
  const { rules, account } = draft;
  const dest = findDestination(draft, message.src, "allowed");
  if (dest === undefined) throw new TvmError("tvm/undefined", "a bounced message cannot be returned");
  const body = bouncedBody(draft, message);
  const size = new CellCounter();
  if (rules.version < 13 && message.value.extra !== undefined) yield* size.addInSteps(message.value.extra);
  for (const ref of body.refs()) yield* size.addInSteps(ref);
  const prices = dest.isMasterchain || account.isMasterchain ? rules.forward.masterchain : rules.forward.basechain;
  const fee = forwardFee(prices, size.cells, size.bits);
  const messageSize = { cells: size.cells, bits: size.bits };
  const left = leftOf(draft);
  if (left.coins < fee) {
    draft.bounce = { kind: "noFunds", messageSize, requiredFwdFees: fee };
    return;
  }
  const balance = subtractMoney(draft.balance, left);
  if (balance === undefined) throw new TvmError("tvm/undefined", "a bounced message carries more than its balance");
  draft.balance = balance;
  const mine = firstPart(prices, fee);
  draft.totalFees += mine;
  const builder = beginCell().storeUint(5, 4).storeSlice(message.dest).storeSlice(dest.address);
  storeMoney(builder, withCoins(left, left.coins - fee))
    .storeCoins(flagsOf(draft, message) & 3n)
    .storeCoins(fee - mine);
  builder.storeBigUint(draft.startLt + 1n + BigInt(draft.outMessages.length), 64).storeUint(draft.now, 32);
  draft.endLt += 1n;
  draft.outMessages = [...draft.outMessages, withBody(builder.storeBit(false), body)];
  draft.bounce = { kind: "ok", messageSize, messageFees: mine, fwdFees: fee - mine };
}

/** Before version 12 the field was a fee. */
function flagsOf({ rules }: Draft, { extraFlags }: InMessage): bigint {
  return rules.version >= 12 ? extraFlags : 0n;
}

function withBody(builder: Builder, body: Builder) {
  const fits = builder.remainingBits > body.bitLength && builder.remainingRefs >= body.refCount;
  return fits ? builder.storeBit(false).storeBuilder(body).cell() : builder.storeBit(true).storeRef(body.cell()).cell();
}

function leftOf(draft: Draft) {
  const { compute, actions } = draft;
  const gasFees = compute?.kind === "vm" ? compute.gasFees : 0n;
  const left = messageMoney(draft);
  return withCoins(left, left.coins - gasFees - (actions?.fine ?? 0n));
}

function bouncedBody(draft: Draft, message: InMessage): Builder {
  const { bouncedBodyBits } = draft.rules;
  if ((flagsOf(draft, message) & newFormat) !== 0n) return newBody(draft, message);
  if (bouncedBodyBits === 0) return beginCell();
  const bits = Math.min(bouncedBodyBits, message.body.remainingBits);
  return beginCell().storeUint(oldTag, 32).storeBits(message.body.clone().loadBits(bits), bits);
}

// _ value:CurrencyCollection created_lt:uint64 created_at:uint32 = NewBounceOriginalInfo;
// _ gas_used:uint32 vm_steps:uint32 = NewBounceComputePhaseInfo;
// new_bounce_body#fffffffe original_body:^Cell original_info:^NewBounceOriginalInfo bounced_by_phase:uint8
//   exit_code:int32 compute_phase:(Maybe NewBounceComputePhaseInfo) = NewBounceBody;
function newBody(draft: Draft, message: InMessage): Builder {
  const { compute } = draft;
  const body = message.body.clone();
  const bits = body.remainingBits;
  const original =
    (message.extraFlags & wholeBody) === 0n
      ? beginCell().storeBits(body.loadBits(bits), bits)
      : beginCell().storeSlice(body);
  const info = storeMoney(beginCell(), message.value);
  info.storeBigUint(message.createdLt, 64).storeUint(message.createdAt, 32);
  const { phase, code } = causeOf(draft);
  const builder = beginCell().storeUint(newTag, 32).storeRef(original.cell()).storeRef(info.cell());
  builder
    .storeUint(phase, 8)
    .storeInt(code, 32)
    .storeBit(compute?.kind === "vm");
  if (compute?.kind === "vm") builder.storeUint(compute.gasUsed, 32).storeUint(compute.vmSteps, 32);
  return builder;
}

const skipCodes = { noState: -1, badState: -2, noGas: -3, suspended: -4 } as const;

function causeOf({ compute, actions }: Draft): { readonly phase: number; readonly code: number } {
  if (compute?.kind === "skipped") return { phase: 0, code: skipCodes[compute.reason] };
  if (compute?.success !== true) return { phase: 1, code: compute?.exitCode ?? 0 };
  return { phase: 2, code: actions?.resultCode ?? 0 };
}
