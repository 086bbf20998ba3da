import type { Builder } from "../../cell/Builder.ts";
import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { internalAddress } from "../../model/messageAddress.ts";
import type { VmValues } from "../../model/vm/VmValue.ts";
import { type ContractState, refusable } from "./entity.ts";

/** The account whose method is called. */
export type AnsweringAccount = Pick<ContractState, "address" | "codeHash" | "data">;

/** A get-method of known codes whose result follows from the data. */
export interface KnownAnswer {
  readonly method: string;
  readonly codes: readonly Hash[];
  /** The result of the code; refuses data and arguments that it does not handle. */
  answer(data: Slice, stack: VmValues, account: AnsweringAccount): VmValues;
}

/** The result of a get-method, if one of these answers it; otherwise unknown. */
export function findAmong(
  known: ReadonlyMap<string, KnownAnswer>,
  account: AnsweringAccount,
  method: string,
  stack: VmValues,
): VmValues | undefined {
  const knownAnswer = known.get(`${account.codeHash} ${method}`);
  return knownAnswer && refusable(() => knownAnswer.answer(sliceOf(account.data), stack, account));
}

/** Indexes these answers by code and method. */
export function indexAnswers(answers: readonly KnownAnswer[]): ReadonlyMap<string, KnownAnswer> {
  return new Map(answers.flatMap((each) => each.codes.map((code) => [`${code} ${each.method}`, each] as const)));
}

// split_depth:nothing$0 special:nothing$0 code:just$1 ^Cell data:just$1 ^Cell library:hme_empty$0
/** The basechain account of this code and data. */
export function deployedAddress(code: Cell, data: Cell): Address {
  return makeAddress(0, beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).cell().hash());
}

export function storeAddress(builder: Builder, address: Address): Builder {
  internalAddress.store(builder, address);
  return builder;
}
