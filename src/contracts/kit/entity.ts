import type { Cell } from "../../cell/Cell.ts";
import { makeLibrary } from "../../cell/exotic.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { methodId } from "../../model/vm/methodId.ts";
import type { VmValues } from "../../model/vm/VmValue.ts";
import { notThis, type StackShape, type Strictness } from "./stack.ts";

/** An active account, as far as detection needs it. */
export interface ContractState {
  readonly address: Address;
  /** As stored in the account, possibly a library reference. */
  readonly code: Cell;
  readonly codeHash: Hash;
  readonly data: Cell;
  /** Ids of the code's methods from `readContractMethods`: only these are run. When unknown all are tried. */
  readonly methods: readonly number[] | undefined;
}

export type CallOutcome = { readonly kind: "ok"; readonly stack: VmValues } | { readonly kind: "failed" };

/**
 * Runs get-methods on the states of one masterchain block. An account that does not exist, has no code, or whose code
 * fails is `failed`; a thrown error means that there is no result and ends the detection.
 */
export interface MethodCaller {
  ask(address: Address, method: string, stack: VmValues): Promise<CallOutcome>;
}

/** Examines one account: runs its methods, each call without arguments once, and those of other accounts. */
export class EntityContext {
  readonly account: ContractState;
  readonly #caller: MethodCaller;
  readonly #closeness: Strictness;
  readonly #answers = new Map<string, Promise<CallOutcome>>();

  constructor(account: ContractState, caller: MethodCaller, closeness: Strictness = "exact") {
    this.account = account;
    this.#caller = caller;
    this.#closeness = closeness;
  }

  /** Whether the account may have this method: it does, or it is unknown. */
  mayHave(method: string): boolean {
    const { methods } = this.account;
    return methods === undefined || methods.includes(methodId(method));
  }

  /** The result of a method of the account itself. */
  async own<V>(method: string, shape: StackShape<V>): Promise<V> {
    let answer = this.#answers.get(method);
    if (answer === undefined) {
      answer = this.mayHave(method)
        ? this.#caller.ask(this.account.address, method, [])
        : Promise.resolve({ kind: "failed" as const });
      this.#answers.set(method, answer);
    }
    return this.#read(method, await answer, shape);
  }

  /** The result of a method of any account. */
  async other<V>(address: Address, method: string, stack: VmValues, shape: StackShape<V>): Promise<V> {
    return this.#read(method, await this.#caller.ask(address, method, stack), shape);
  }

  #read<V>(method: string, answer: CallOutcome, shape: StackShape<V>): V {
    if (answer.kind === "failed") throw notThis(`${method} failed`);
    return shape.read(answer.stack, this.#closeness);
  }
}

/** Reads a data cell of a known code, instead of a run. */
export interface Layout<Data> {
  /** Hashes of the codes with this data layout, also when a library reference leads to the code. */
  readonly codes: readonly Hash[];
  read(data: Slice, account: ContractState): Data;
}

interface EntityDeclaration<Data, Found> {
  /** Methods of codes of this kind. */
  readonly methods: readonly string[];
  /** Set when only these codes are of this kind. */
  readonly codes?: readonly Hash[];
  /** The answer of the account, by its get-methods. */
  run(asking: EntityContext): Promise<Data>;
  readonly layouts?: readonly Layout<Data>[];
  /** Compares the answer with those of other accounts, and makes the value. */
  confirm(data: Data, asking: EntityContext): Promise<Found> | Found;
}

/** A kind of contract that an index stores. */
export interface Entity<Data, Found> {
  /** Codes whose data is read without a run. */
  readonly decodedCodes: readonly Hash[];
  /**
   * The answer of the account, by running it. Throws an error that `isRefusal` accepts when it is another kind of
   * contract.
   */
  run(asking: EntityContext): Promise<Data>;
  /** The same without a run; `undefined` when code or data have no known layout. */
  decode(account: ContractState): Data | undefined;
  /** Whether code and methods allow it; without a run. */
  mayBe(account: ContractState): boolean;
  /** The confirmed value, or `undefined` when the account is another kind of contract. */
  find(asking: EntityContext): Promise<Found | undefined>;
}

/** Declares a kind of contract that an index stores. */
export function entity<Data, Found>(declared: EntityDeclaration<Data, Found>): Entity<Data, Found> {
  const codes = declared.codes === undefined ? undefined : new Set(declared.codes);
  const methodIds = declared.methods.map(methodId);
  const mayBe = ({ codeHash, methods }: ContractState): boolean =>
    codes?.has(codeHash) !== false && (methods === undefined || methodIds.every((id) => methods.includes(id)));
  const layouts = new Map(
    (declared.layouts ?? []).flatMap((layout) =>
      layout.codes.flatMap((code) => [code, makeLibrary(code).hash()].map((hash) => [hash, layout] as const)),
    ),
  );
  const decode = (account: ContractState): Data | undefined => {
    // Code in an unknown library cannot be run, and then its methods are unknown.
    const layout = account.methods === undefined ? undefined : layouts.get(account.codeHash);
    return layout && refusable(() => readLayout(layout, account));
  };
  return {
    decodedCodes: [...layouts.keys()],
    run: (asking) => declared.run(asking),
    decode,
    mayBe,
    find: async (asking) => {
      if (!mayBe(asking.account)) return undefined;
      return refusableAsync(async () => {
        const data = decode(asking.account) ?? (await declared.run(asking));
        return declared.confirm(data, asking);
      });
    },
  };
}

/** Left-over bits mean another layout, so the code itself is run. */
function readLayout<Data>(layout: Layout<Data>, account: ContractState): Data {
  const data = sliceOf(account.data);
  const found = layout.read(data, account);
  data.end();
  return found;
}

/** The answer of a contract may be anything: an unreadable one only means another kind of contract. */
export function isRefusal(error: unknown): boolean {
  return isCoded(error) && /^(?:contracts|cell|model)\//.test(error.code);
}

/** The decoded value, or `undefined` when it cannot be decoded. */
export function refusable<V>(read: () => V): V | undefined {
  try {
    return read();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** The decoded value, or `undefined` when it is another kind of contract. */
export async function refusableAsync<V>(read: () => Promise<V>): Promise<V | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
