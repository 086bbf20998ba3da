import type { Cell } from "../cell/Cell.ts";
import { cell, int32, loadCell, maybe, ref, storeCell, uint64, union, type ValueOf } from "../cell/codec.ts";
import { Account, AccountState } from "./Account.ts";
import type { Address } from "./Address.ts";
import { Coins } from "./Currency.ts";
import { Message } from "./Message.ts";
import type { Transaction } from "./Transaction.ts";

// set_balance#73657401 id:uint64 balance:Grams = AccountWrite;
// set_code#73657402 id:uint64 code:^Cell = AccountWrite;
// set_data#73657403 id:uint64 data:^Cell = AccountWrite;
// set_state#73657404 id:uint64 state:^AccountState = AccountWrite;
// set_account#73657405 id:uint64 account:^Account = AccountWrite;
// set_config#73657406 id:uint64 param:int32 value:(Maybe ^Cell) = AccountWrite;
// raise_supply#73657407 id:uint64 amount:Grams = AccountWrite;
/** What the owner of a local network writes into an account: the body of the external message of that transaction. */
export const AccountWrite = union({
  balance: ["#73657401", { id: uint64, balance: Coins }],
  code: ["#73657402", { id: uint64, code: cell }],
  data: ["#73657403", { id: uint64, data: cell }],
  state: ["#73657404", { id: uint64, state: ref(AccountState) }],
  account: ["#73657405", { id: uint64, account: ref(Account) }],
  config: ["#73657406", { id: uint64, param: int32, value: maybe(cell) }],
  // Of a jetton whose data begins with its supply. It says by how much, so that mints in the same block count, too.
  supply: ["#73657407", { id: uint64, amount: Coins }],
});
export type AccountWrite = ValueOf<typeof AccountWrite>;

/** The message with which an account is written. */
export function makeAccountWrite(dest: Address, write: AccountWrite): Cell {
  const info = { kind: "externalIn" as const, src: undefined, dest, importFee: 0n };
  const body = storeCell(AccountWrite, write);
  return storeCell(Message, { info, init: undefined, body, initPlace: "inline", bodyPlace: "ref" });
}

/** What a message writes. */
export function loadAccountWrite(message: Cell): AccountWrite {
  return loadCell(AccountWrite, loadCell(Message, message).body);
}

/**
 * Whether a transaction wrote the state of its account by hand. Every other transaction of an external message has run
 * code: a message that no code accepts has no transaction.
 */
export function isAccountWrite({ description, messages }: Transaction): boolean {
  const isExternal = messages.in?.info.kind === "externalIn";
  return isExternal && description.kind === "ordinary" && description.compute.kind === "skipped";
}

/** The mode of a compute phase whose signature checks all succeeded, because the account was impersonated. */
export const impersonatedMode = 1;

/** Whether a transaction ran without the key of its account. */
export function isImpersonated({ description }: Transaction): boolean {
  if (description.kind !== "ordinary" || description.compute.kind !== "vm") return false;
  return description.compute.details.mode === impersonatedMode;
}
