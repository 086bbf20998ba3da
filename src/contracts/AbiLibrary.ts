import type { Address } from "../model/Address.ts";
import { findHash, type Hash } from "../model/Hash.ts";
import type { Abi } from "./abi/Abi.ts";
import { AbiCodec } from "./abi/AbiCodec.ts";
import { AbiError } from "./abi/errors.ts";
import type { Contract } from "./kit/contract.ts";
import { families } from "./registry.ts";

/** What is known of an account whose ABIs are looked up. */
export interface AbiSubject {
  readonly address?: Address | undefined;
  readonly codeHash?: Hash | undefined;
  /** Names of its interfaces. */
  readonly interfaces: readonly string[];
}

/** For what an ABI of one's own is: named accounts, codes, or an interface; its `codes` count as well. */
export interface AbiTarget {
  readonly addresses: readonly Address[];
  readonly codeHashes: readonly Hash[];
  readonly interfaces: readonly string[];
}

/** An ABI of one's own under its id, with the source text of the contract where it is known. */
export interface AddedAbi {
  readonly id: string;
  readonly abi: Abi;
  readonly target: AbiTarget;
  readonly source?: string | undefined;
}

/** Where ABIs of one's own are kept. */
export interface AbiStore {
  library(): AbiLibrary;
  /** Reads and keeps the text of a file; refuses one that is not an ABI, with line and reason. */
  add(text: string, target: AbiTarget, source?: string): AddedAbi;
}

/** What a compiler made of a source. */
export type CompiledSource =
  | { readonly kind: "compiled"; readonly codeHash: Hash; readonly compiler: string }
  /** Why it cannot be compiled. */
  | { readonly kind: "failed"; readonly reason: string }
  /** There is no compiler; `package` is the one that would be used. */
  | { readonly kind: "absent"; readonly package: string };

export type CompileSource = (text: string) => Promise<CompiledSource>;

/** ABIs of one's own that are kept at the same time. */
const maxAdded = 1000;

/** Interfaces by name; where two have one name, the first one is it. */
const interfaces: ReadonlyMap<string, Contract> = new Map(
  families.flatMap((family) => family.interfaces.map((each) => [each.name, each] as const)).toReversed(),
);

/** ABIs of interfaces, made when they are asked for. */
const declared = new Map<string, AbiCodec>();

/** Contracts without a name in the public index. */
const described: readonly Contract[] = families.flatMap((family) => family.described);

/** The ABI that a family declares for an interface; `undefined` when there is nothing but the name. */
function findInterfaceAbi(name: string): AbiCodec | undefined {
  const contract = interfaces.get(name);
  return contract === undefined || isEmpty(contract) ? undefined : codecOf(contract);
}

function codecOf(contract: Contract): AbiCodec {
  const known = declared.get(contract.name) ?? new AbiCodec(contract.abi);
  declared.set(contract.name, known);
  return known;
}

function isEmpty({ abi }: Contract): boolean {
  return [abi.methods, abi.receives, abi.sends, abi.emits, abi.storage].every((list) => list.length === 0);
}

/** ABIs of families, and those of one's own, which come first. */
export class AbiLibrary {
  readonly #added = new Map<string, AddedAbi & { readonly codec: AbiCodec }>();

  /** Adds an ABI of one's own or replaces the one with this id. */
  add(added: AddedAbi): void {
    if (!this.#added.has(added.id) && this.#added.size >= maxAdded)
      throw new AbiError("abi/too-large", `there are ${maxAdded} ABIs; remove some with tongate abi remove`);
    const own = (added.abi.codes ?? []).flatMap((code) => findHash(code) ?? []);
    const target = { ...added.target, codeHashes: [...new Set([...added.target.codeHashes, ...own])] };
    this.#added.set(added.id, { ...added, target, codec: new AbiCodec(added.abi) });
  }

  /** Whether there was one with this id. */
  remove(id: string): boolean {
    return this.#added.delete(id);
  }

  list(): readonly AddedAbi[] {
    return [...this.#added.values()];
  }

  /** All ABIs of an account, the particular before the general: by address, by code, by interface, of families. */
  find(subject: AbiSubject): readonly AbiCodec[] {
    const { address, codeHash, interfaces: names } = subject;
    const found = described.filter(
      ({ codes, addresses }) =>
        (address !== undefined && addresses.includes(address)) || (codeHash !== undefined && codes.includes(codeHash)),
    );
    const ofFamilies = [...found.map(codecOf), ...names.flatMap((name) => findInterfaceAbi(name) ?? [])];
    return [...new Set([...this.findOwn(subject), ...ofFamilies])];
  }

  /** Those of one's own, in the same order. */
  findOwn({ address, codeHash, interfaces: names }: AbiSubject): readonly AbiCodec[] {
    const all = [...this.#added.values()];
    const own = [
      all.filter(({ target }) => address !== undefined && target.addresses.includes(address)),
      all.filter(({ target }) => codeHash !== undefined && target.codeHashes.includes(codeHash)),
      all.filter(({ target }) => names.some((name) => target.interfaces.includes(name))),
    ];
    return [...new Set(own.flat().map(({ codec }) => codec))];
  }

  /** Whether there is none of one's own. */
  get isBare(): boolean {
    return this.#added.size === 0;
  }

  /** The source text that came with an ABI of this account or code. */
  findSource({ address, codeHash }: AbiSubject): string | undefined {
    const found = [...this.#added.values()].find(
      ({ source, target }) =>
        source !== undefined &&
        ((codeHash !== undefined && target.codeHashes.includes(codeHash)) ||
          (address !== undefined && target.addresses.includes(address))),
    );
    return found?.source;
  }
}
