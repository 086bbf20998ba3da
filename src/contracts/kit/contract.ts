import { type Address, parseAddress } from "../../model/Address.ts";
import { type Hash, parseHash } from "../../model/Hash.ts";
import { methodId } from "../../model/vm/methodId.ts";
import type { Abi, AbiConstructor, AbiMethod, AbiStorage } from "../abi/Abi.ts";
import { codeTexts } from "./dataLayout.ts";
import type { DescribedMethod } from "./getMethod.ts";

/** A body of a family, as an ABI has it. */
interface DeclaredBody {
  readonly abi: AbiConstructor;
}

/** The declaration of a contract interface. */
export interface ContractDeclaration {
  /** The name in the public index. */
  readonly name: string;
  /** Hashes of codes with only this interface, in base64. */
  readonly codes?: readonly string[];
  /** Accounts of this kind on every network, in raw form. */
  readonly addresses?: readonly string[];
  /** Get-methods of codes of this kind; an interface without methods is detected by code hash only. */
  readonly methods?: readonly (string | DescribedMethod)[];
  /** Get-methods that some codes of this kind have. */
  readonly furtherMethods?: readonly DescribedMethod[];
  readonly receives?: readonly DeclaredBody[];
  readonly sends?: readonly DeclaredBody[];
  readonly emits?: readonly DeclaredBody[];
  readonly storage?: readonly { readonly abi: AbiStorage }[];
  /** What the exit codes of its code mean. */
  readonly errors?: Readonly<Record<number, string>>;
  /** An interface whose methods, messages and errors it has, too. */
  readonly like?: Contract;
}

/** A contract interface with its name. */
export interface Contract {
  readonly name: string;
  readonly codes: readonly Hash[];
  readonly addresses: readonly Address[];
  readonly methods: readonly string[];
  readonly methodIds: readonly number[];
  /** What is known of its methods, messages, storage and errors. */
  readonly abi: Omit<Required<Abi>, "codes" | "doc" | "types">;
}

/** Declares a contract interface. */
export function contract(declared: ContractDeclaration): Contract {
  const { name, codes = [], methods = [], like } = declared;
  const names = methods.map((method) => (typeof method === "string" ? method : method.name));
  return {
    name,
    codes: codes.map(parseHash),
    addresses: (declared.addresses ?? []).map((text) => parseAddress(text).address),
    methods: names,
    methodIds: names.map(methodId),
    abi: {
      name,
      methods: joined([...methods, ...(declared.furtherMethods ?? [])].flatMap(typedMethod), like?.abi.methods),
      receives: joined(abisOf(declared.receives), like?.abi.receives),
      sends: joined(abisOf(declared.sends), like?.abi.sends),
      emits: joined(abisOf(declared.emits), like?.abi.emits),
      storage: [...storageOf(declared), ...(like?.abi.storage ?? [])],
      errors: { ...like?.abi.errors, ...declared.errors },
    },
  };
}

/** Declares one version of a contract, known by its code; all else is as in the interface. */
export function contractByCode(name: string, code: string, like: Contract): Contract {
  return contract({ name, codes: [code], like });
}

/** Methods do not tell codes apart, as most wallets show: data is that of the codes, where an interface has any. */
function storageOf({ storage, codes = [] }: ContractDeclaration): readonly AbiStorage[] {
  const texts = codes.map(parseHash).flatMap(codeTexts);
  return abisOf(storage).map((layout) => (texts.length === 0 ? layout : { codes: texts, ...layout }));
}

function abisOf<A>(declared: readonly { readonly abi: A }[] = []): readonly A[] {
  return declared.map(({ abi }) => abi);
}

function typedMethod(method: string | DescribedMethod): readonly AbiMethod[] {
  return typeof method === "string" ? [] : [{ name: method.name, args: method.args, result: method.result.abi }];
}

/** Its own, and those of the other interface that have another name. */
function joined<T extends { readonly name: string }>(own: readonly T[], others: readonly T[] = []): readonly T[] {
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...others.filter(({ name }) => !names.has(name))];
}
