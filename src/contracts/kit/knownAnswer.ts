import type { Builder } from "../../cell/Builder.ts";
import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { internalAddress } from "../../model/messageAddress.ts";
import type { VmValues } from "../../model/vm/VmValue.ts";
import { type ContractState, refusable } from "./entity.ts";

/** The account whose method is asked for. */
export type AskedAccount = Pick<ContractState, "address" | "codeHash" | "data">;

/** A get-method of known codes whose answer is plain from the data. */
export interface KnownAnswer {
  readonly method: string;
  readonly codes: readonly Hash[];
  /** What the code would leave; refuses data and arguments of which it is not sure. */
  answer(data: Slice, stack: VmValues, account: AskedAccount): VmValues;
}

/** What a get-method gives, where one of these answers it; nobody knows what else it may give. */
export function findAmong(
  known: ReadonlyMap<string, KnownAnswer>,
  account: AskedAccount,
  method: string,
  stack: VmValues,
): VmValues | undefined {
  const found = known.get(`${account.codeHash} ${method}`);
  return found && refusable(() => found.answer(sliceOf(account.data), stack, account));
}

/** These answers, each to be found by code and method. */
export function indexAnswers(answers: readonly KnownAnswer[]): ReadonlyMap<string, KnownAnswer> {
  return new Map(answers.flatMap((each) => each.codes.map((code) => [`${code} ${each.method}`, each] as const)));
}

// split_depth:nothing$0 special:nothing$0 code:just$1 ^Cell data:just$1 ^Cell library:hme_empty$0
/** The account in the basechain to which this code and these data are deployed. */
export function deployedAddress(code: Cell, data: Cell): Address {
  return makeAddress(0, beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).cell().hash());
}

export function storeAddress(builder: Builder, address: Address): Builder {
  internalAddress.store(builder, address);
  return builder;
}
