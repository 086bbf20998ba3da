import type { Cell } from "../../cell/Cell.ts";
import { makeLibrary } from "../../cell/exotic.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { VmValues } from "../../model/vm/VmValue.ts";
import { methodId } from "../../tvm/methodId.ts";
import { notThis, type StackShape, type Strictness } from "./stack.ts";

/** An active account, as far as is needed to tell what it is. */
export interface ContractState {
  readonly address: Address;
  /** As the account holds it, be it a reference to a library. */
  readonly code: Cell;
  readonly codeHash: Hash;
  readonly data: Cell;
  /** Ids of the code's methods as `readContractMethods` gives them: only these are run. When unknown all are tried. */
  readonly methods: readonly number[] | undefined;
}

export type CallOutcome = { readonly kind: "ok"; readonly stack: VmValues } | { readonly kind: "failed" };

/**
 * Runs get-methods on the states of one masterchain block. An account that is not there, has no code, or whose code ends
 * badly is `failed`; an error that is thrown means that nothing was found out and ends the detection.
 */
export interface MethodCaller {
  ask(address: Address, method: string, stack: VmValues): Promise<CallOutcome>;
}

/** Looks at one account: runs its methods, each question without arguments once, and those of others. */
export class EntityContext {
  readonly account: ContractState;
  readonly #asker: MethodCaller;
  readonly #closeness: Strictness;
  readonly #answers = new Map<string, Promise<CallOutcome>>();

  constructor(account: ContractState, asker: MethodCaller, closeness: Strictness = "exact") {
    this.account = account;
    this.#asker = asker;
    this.#closeness = closeness;
  }

  /** Whether the account may have this method: it does, or it is not known. */
  mayHave(method: string): boolean {
    const { methods } = this.account;
    return methods === undefined || methods.includes(methodId(method));
  }

  /** What a method of the account itself gives. */
  async own<V>(method: string, shape: StackShape<V>): Promise<V> {
    let answer = this.#answers.get(method);
    if (answer === undefined) {
      answer = this.mayHave(method)
        ? this.#asker.ask(this.account.address, method, [])
        : Promise.resolve({ kind: "failed" as const });
      this.#answers.set(method, answer);
    }
    return this.#read(method, await answer, shape);
  }

  /** What a method of any account gives. */
  async other<V>(address: Address, method: string, stack: VmValues, shape: StackShape<V>): Promise<V> {
    return this.#read(method, await this.#asker.ask(address, method, stack), shape);
  }

  #read<V>(method: string, answer: CallOutcome, shape: StackShape<V>): V {
    if (answer.kind === "failed") throw notThis(`${method} failed`);
    return shape.read(answer.stack, this.#closeness);
  }
}

/** What a data cell says under a known code, in place of a run. */
export interface Layout<Data> {
  /** Hashes of the codes that keep their data like this, be it by a reference to a library with that code. */
  readonly codes: readonly Hash[];
  read(data: Slice, account: ContractState): Data;
}

interface EntityDeclaration<Data, Found> {
  /** Methods that a code of this kind has. */
  readonly methods: readonly string[];
  /** Given when only these codes are of this kind. */
  readonly codes?: readonly Hash[];
  /** What the account says of itself, by its get-methods. */
  run(asking: EntityContext): Promise<Data>;
  readonly layouts?: readonly Layout<Data>[];
  /** Compares it with what others say, and makes the value. */
  confirm(data: Data, asking: EntityContext): Promise<Found> | Found;
}

/** A kind of contract whose values an index keeps. */
export interface Entity<Data, Found> {
  /** Codes whose data is read without a run. */
  readonly decodedCodes: readonly Hash[];
  /** What the account says of itself, by running it. Throws what `isRefusal` knows when it is none of this kind. */
  run(asking: EntityContext): Promise<Data>;
  /** The same without a run; `undefined` where code or data are of no known layout. */
  decode(account: ContractState): Data | undefined;
  /** Whether code and methods allow it; without a run. */
  mayBe(account: ContractState): boolean;
  /** The confirmed value, or `undefined` when the account is none of this kind. */
  find(asking: EntityContext): Promise<Found | undefined>;
}

/** Declares a kind of contract whose values an index keeps. */
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
    // A library that nobody has cannot be run, and then its methods are not known.
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

/** Left-over bits mean that the layout is another one, so that the code itself is asked. */
function readLayout<Data>(layout: Layout<Data>, account: ContractState): Data {
  const data = sliceOf(account.data);
  const found = layout.read(data, account);
  data.end();
  return found;
}

/** What a contract says may be anything: what cannot be read only means that the contract is not of that kind. */
export function isRefusal(error: unknown): boolean {
  return isCoded(error) && /^(?:contracts|cell|model)\//.test(error.code);
}

/** What is read, or `undefined` when it cannot be. */
export function refusable<V>(read: () => V): V | undefined {
  try {
    return read();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** What is read, or `undefined` when the contract is not of that kind. */
export async function refusableAsync<V>(read: () => Promise<V>): Promise<V | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
