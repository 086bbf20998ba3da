import { beginCell, emptyCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { sliceOf } from "../../cell/Slice.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { makeAddress } from "../../model/Address.ts";
import { gasFee } from "../../model/config/fees.ts";
import { type Hash, hashToBytes } from "../../model/Hash.ts";
import { subtractMoney, withCoins } from "../../model/Money.ts";
import type { SkipReason } from "../../model/phases.ts";
import { librariesIn } from "../../model/StateInit.ts";
import { TvmError } from "../errors.ts";
import type { MachineEnd, MachineInput } from "../machine/MachineRun.ts";
import { type AccountData, loadStateInit } from "./AccountData.ts";
import { initialStack, makeContext, type Surroundings } from "./context.ts";
import { type Draft, messageMoney } from "./Draft.ts";
import { gasOf, gasPrices } from "./gas.ts";
import { isStateAllowed } from "./limits.ts";

/** Prepares the run of the code; `undefined` when the phase is skipped. */
export function* prepareCompute(draft: Draft, surroundings: Surroundings): Steps<MachineInput | undefined> {
  const { rules, balance, totalFees, account } = draft;
  draft.originalBalance =
    rules.version >= 9
      ? subtractMoney(balance, messageMoney(draft))
      : subtractMoney(account.balance, { coins: totalFees, extra: undefined });
  const reason = yield* findSkipReason(draft);
  if (reason !== undefined) {
    draft.compute = { kind: "skipped", reason };
    return undefined;
  }
  if (draft.code === undefined) {
    finishCompute(draft, endWithoutCode(draft));
    return undefined;
  }
  const { limits, version } = rules;
  return {
    code: draft.code,
    data: draft.data ?? emptyCell,
    stack: initialStack(draft),
    c7: makeContext(draft, surroundings),
    gas: machineGas(draft),
    globalVersion: version,
    maxDataDepth: limits.maxVmDataDepth,
    maxLibraryLoads: limits.maxTransactionLibraryLoads,
    signatures: surroundings.signatures,
    onStep: surroundings.onStep,
  };
}

/** An account may be active without code: the machine then ends at once with its exception for impossible things. */
function endWithoutCode(draft: Draft): MachineEnd {
  const { limit: gasLimit, max: gasMax, credit: gasCredit } = machineGas(draft);
  const nothing = { gasUsed: 0, committed: undefined, steps: 0, missingLibrary: undefined };
  return { kind: "ended", exitCode: -13, stack: initialStack(draft), gasLimit, gasMax, gasCredit, ...nothing };
}

function* findSkipReason(draft: Draft): Steps<SkipReason | undefined> {
  if (draft.balance.coins <= 0n) return "noGas";
  draft.gas = gasOf(draft);
  if (draft.gas.limit === 0n && draft.gas.credit === 0n) return "noGas";
  return (yield* takeState(draft)) ?? findPrecompiled(draft);
}

/** Decides whose state runs: the account's, or the message's for an account without one. */
function* takeState(draft: Draft): Steps<SkipReason | undefined> {
  const { message, status, account, rules } = draft;
  const init = message?.init;
  const stateHash = init?.hash();
  const isStranger = message?.isExternal === true && stateHash !== undefined && stateHash !== account.id;
  if (init !== undefined && (status === "uninit" || (status === "frozen" && account.stateHash === stateHash))) {
    if (status === "uninit" && isSuspended(draft)) return "suspended";
    draft.usesMessageState = true;
    if (!(yield* takeMessageState(draft, init.hash()))) return "badState";
  } else if (status !== "active") {
    return init === undefined ? "noState" : "badState";
  } else if (init !== undefined) {
    if (rules.version >= 8 && isStranger) return "badState";
    draft.messageLibrary = loadStateInit(sliceOf(init)).library;
  }
  if (rules.version < 8 && isStranger) return "badState";
  if (rules.version >= 10) draft.address = account.exactAddress;
  return undefined;
}

function isSuspended({ rules, account, now }: Draft): boolean {
  const { suspended } = rules;
  if (suspended === undefined || suspended.suspendedUntilAt <= now) return false;
  return suspended.addresses.has(makeAddress(account.workchain, account.id));
}

/** Makes the message's state the account's, if it is a state this account may have. */
function* takeMessageState(draft: Draft, stateHash: Hash): Steps<boolean> {
  const { account, rules, status, message } = draft;
  if (message?.init === undefined) return false;
  const { code, data, library, tick, tock, fixedPrefixLength } = loadStateInit(sliceOf(message.init));
  Object.assign(draft, { tick, tock, fixedPrefixLength });
  // Since version 15 no account is deployed with libraries; one that was frozen with them gets them back.
  if (rules.version >= 15 && status === "uninit" && library !== undefined) return false;
  const before = { code: draft.code, data: draft.data, library: draft.library };
  Object.assign(draft, { code, data, library });
  const isNewMaster = status === "uninit" && account.isMasterchain;
  if (!(yield* isStateAllowed(draft, isNewMaster ? 0 : rules.limits.maxAccountPublicLibraries))) {
    Object.assign(draft, before);
    return false;
  }
  if (!isPrefixAllowed(account.rewriteLength, fixedPrefixLength)) return false;
  if (status !== "uninit") return true;
  if (!isSameBehind(stateHash, account.id, fixedPrefixLength)) return false;
  const isPlain = rules.version >= 10 || fixedPrefixLength === 0;
  draft.address = isPlain ? account.exactAddress : anycastAddress(account, stateHash, fixedPrefixLength);
  return rules.version < 10 || fixedPrefixLength <= rules.limits.maxAccountFixedPrefixLength;
}

// addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;
/** Until version 9: the address of the state's hash, whose first bits the account's own replace. */
function anycastAddress({ id, workchain }: AccountData, stateHash: Hash, depth: number): Cell {
  const builder = beginCell().storeUint(5, 3).storeUint(depth, 5).storeBits(hashToBytes(id), depth);
  builder.storeInt(workchain, 8).storeBits(hashToBytes(stateHash), depth);
  return builder.storeSlice(sliceOf(beginCell().storeHex(id).cell()).skip(depth)).cell();
}

function isPrefixAllowed(rewriteLength: number | undefined, prefix: number): boolean {
  return rewriteLength === undefined ? prefix <= 30 : prefix === rewriteLength;
}

function isSameBehind(a: Hash, b: Hash, bits: number): boolean {
  const mask = (1n << BigInt(256 - bits)) - 1n;
  return (BigInt(`0x${a}`) & mask) === (BigInt(`0x${b}`) & mask);
}

function findPrecompiled(draft: Draft): SkipReason | undefined {
  const { code, kind, rules, gas } = draft;
  if (code === undefined || kind !== "ordinary") return undefined;
  draft.precompiledGas = rules.findPrecompiled(code);
  return draft.precompiledGas !== undefined && draft.precompiledGas > gas.limit ? "noGas" : undefined;
}

/** A code that is charged a fixed amount may use as much gas as any, and has to be run all the same. */
function machineGas(draft: Draft): MachineInput["gas"] {
  const { gas, precompiledGas, account } = draft;
  if (precompiledGas === undefined)
    return { limit: Number(gas.limit), max: Number(gas.max), credit: Number(gas.credit) };
  const prices = gasPrices(draft);
  const limit = Number(account.isSpecial ? prices.specialGasLimit : prices.gasLimit);
  return { limit, max: limit, credit: gas.credit === 0n ? 0 : limit };
}

/** Takes over what the machine did, and charges for it. */
export function finishCompute(draft: Draft, end: MachineEnd): void {
  const { account, precompiledGas } = draft;
  const accepted = end.gasCredit === 0;
  const success = accepted && end.committed !== undefined;
  if (accepted && draft.usesMessageState) {
    draft.wasActivated = true;
    draft.status = "active";
  }
  if (precompiledGas !== undefined && end.exitCode === outOfGas)
    throw new TvmError("tvm/undefined", "the code used more than its fixed gas limit");
  const gasUsed = precompiledGas === undefined ? Math.min(end.gasUsed, end.gasLimit) : Number(precompiledGas);
  const gasFees = accepted && !account.isSpecial ? gasFee(gasPrices(draft), BigInt(gasUsed)) : 0n;
  draft.totalFees += gasFees;
  draft.balance = withCoins(draft.balance, draft.balance.coins - gasFees);
  if (draft.balance.coins < 0n) throw new TvmError("tvm/undefined", "the account cannot pay for the gas it used");
  const vmSteps = precompiledGas === undefined ? end.steps : 0;
  const committed = success ? end.committed : undefined;
  const { exitCode } = end;
  const arg = success ? 0 : exitArg(end);
  draft.compute = { kind: "vm", success, accepted, gasFees, gasUsed, exitCode, vmSteps, exitArg: arg, committed };
}

const outOfGas = -14;

/** The number that the code left on top of the stack when it failed. */
function exitArg({ stack }: MachineEnd): number {
  const top = stack.at(-1);
  return typeof top === "number" && top === (top | 0) ? top : 0;
}

/** A library that the account or its message brings; since version 15 there are only public ones. */
export function findOwnLibrary(draft: Draft, hash: Hash) {
  if (draft.rules.version >= 15) return undefined;
  for (const root of [draft.messageLibrary, draft.library]) {
    const cell = librariesIn(root).find(hash)?.root;
    if (cell?.hash() === hash) return cell;
  }
  return undefined;
}
