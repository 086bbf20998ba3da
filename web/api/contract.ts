import { describeExit } from "../format/exitCodes.ts";
import { type Ask, get, readPlain } from "./ask.ts";
import { findKnown } from "./book.ts";
import type { Transaction } from "./types.ts";

/** An argument or a result with its type, in the form of ABIs. */
export interface NamedType {
  readonly name: string;
  readonly type: unknown;
}

export type ContractMethods = readonly {
  readonly id: number;
  readonly name: string | null;
  readonly args: readonly NamedType[] | null;
}[];

/** A message that a contract accepts. */
export interface ContractMessage {
  readonly name: string;
  readonly fields: readonly NamedType[];
  readonly doc?: string;
}

/** What is known of a contract; names come from whoever wrote its ABI. */
export interface ContractAnswer {
  readonly methods: ContractMethods;
  readonly source: string | null;
  readonly storage: { readonly abi: string; readonly fields: object } | null;
  readonly abis: readonly {
    readonly receives?: readonly ContractMessage[];
    readonly errors?: Readonly<Record<string, string>>;
  }[];
}

/** The source of a contract and whether it is that of its code. */
export interface SourceAnswer {
  readonly source: string | null;
  readonly source_check: {
    readonly verdict: string;
    readonly compiler: string | null;
    readonly code_hash: string | null;
    readonly reason: string | null;
  } | null;
}

export function askSource(address: string): Ask<SourceAnswer> {
  return get("/api/v3/contract", { address, check_source: true }, readPlain<SourceAnswer>);
}

/** Words are shown in one line, so long ones are cut. */
const maxWords = 200;
const errors = new Map<string, ReadonlyMap<string, string>>();

export function askContract(address: string): Ask<ContractAnswer> {
  const read = (answer: unknown) => {
    const contract = answer as ContractAnswer;
    errors.set(address, readErrors(contract));
    return contract;
  };
  return get("/api/v3/contract", { address }, read);
}

/** Other accounts with the code of a contract. */
export interface HoldersAnswer {
  readonly same_code: { readonly accounts: readonly string[]; readonly next: string | null } | null;
}

export function askHolders(address: string, after: string | undefined): Ask<HoldersAnswer> {
  return get(
    "/api/v3/contract",
    { address, include_same_code: true, same_code_after: after },
    readPlain<HoldersAnswer>,
  );
}

/** The words of an exit code; the first ABI that has the code decides. */
export function readErrors({ abis }: Pick<ContractAnswer, "abis">): ReadonlyMap<string, string> {
  const all = abis.toReversed().flatMap((abi) => Object.entries(abi.errors ?? {}));
  return new Map(all.map(([code, words]) => [code, clip(String(words))]));
}

function clip(words: string): string {
  return words.length > maxWords ? `${words.slice(0, maxWords)}…` : words;
}

/** Whether the words of the account were loaded. */
export function hasErrors(account: string): boolean {
  return errors.has(account);
}

/** An exit code of an account in words: those of its ABI, if it is known and has the code. */
export function describeExitOf(account: string, code: number): string {
  return describeExit(code, findKnown(account).interfaces, errors.get(account)?.get(String(code)));
}

/** Accounts of one page whose ABIs are asked for. */
const maxAccounts = 10;

/** Accounts whose code failed, each once. */
export function listFailing(transactions: readonly Pick<Transaction, "account" | "description">[]): readonly string[] {
  const failed = transactions.filter(({ description }) => description.compute_ph?.success === false);
  return [...new Set(failed.map(({ account }) => account))].slice(0, maxAccounts);
}
