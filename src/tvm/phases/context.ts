import { hash } from "node:crypto";
import type { Hash } from "../../model/Hash.ts";
import { cellSlice, machineSlice } from "../machine/CellSlice.ts";
import { fromBig } from "../machine/integers.ts";
import type { MachineInput } from "../machine/MachineRun.ts";
import type { Integer, StackValue, Tuple } from "../machine/StackValue.ts";
import { contextTuple, moneyTuple, noMessage } from "./contextTuple.ts";
import { type Draft, messageMoney } from "./Draft.ts";

/** What the executor adds to what the account and the configuration give. */
export interface Surroundings extends Pick<MachineInput, "signatures" | "onStep"> {
  readonly randomSeed: Hash;
  readonly previousBlocks: StackValue;
}

/** The initial stack: what a transaction passes to the code besides c7. */
export function initialStack(draft: Draft): StackValue[] {
  const { message, balance, account, kind } = draft;
  const coins = fromBig(balance.coins);
  if (message === undefined) {
    // The address is read as a number with sign here, and only here.
    const address = fromBig(BigInt.asIntN(256, BigInt(`0x${account.id}`)));
    return [coins, address, kind === "tock" ? -1 : 0, -2];
  }
  const value = fromBig(messageMoney(draft).coins);
  return [coins, value, message.cell, machineSlice(message.body), message.isExternal ? -1 : 0];
}

export function makeContext(draft: Draft, surroundings: Surroundings): Tuple {
  const { rules, balance, now, blockLt, startLt, precompiledGas } = draft;
  const block = [now, fromBig(blockLt), fromBig(startLt), randomSeed(draft, surroundings.randomSeed)];
  const fees = fromBig(draft.storage?.feesCollected ?? 0n);
  const precompiled = precompiledGas === undefined ? null : fromBig(precompiledGas);
  return contextTuple(
    rules.version,
    [...block, moneyTuple(balance), cellSlice(draft.address), rules.root],
    [draft.code ?? null, moneyTuple(messageMoney(draft)), fees, surroundings.previousBlocks],
    [rules.unpackedConfig(now), fromBig(draft.duePayment), precompiled],
    [messageParams(draft)],
  );
}

function randomSeed({ account, rules }: Draft, seed: Hash): Integer {
  // Before version 8 the first 32 bits of the address stood in front of the rest of it.
  const id = rules.version >= 8 ? account.id : `${account.id.slice(0, 8)}${account.id.slice(0, 56)}`;
  const digest = hash("sha256", Buffer.from(`${seed}${id}`, "hex"), "hex");
  return fromBig(BigInt(`0x${digest}`));
}

/** Fields of the message that code may read without parsing it. */
function messageParams(draft: Draft): Tuple {
  const { message } = draft;
  if (message === undefined) return noMessage;
  const left = messageMoney(draft);
  const way = [message.bounce ? -1 : 0, message.bounced ? -1 : 0, machineSlice(message.src), fromBig(message.fwdFee)];
  const value = [fromBig(message.value.coins), fromBig(left.coins), left.extra ?? null];
  return [...way, fromBig(message.createdLt), message.createdAt, ...value, message.init ?? null];
}
