import { type Hash, parseHash } from "../../model/Hash.ts";
import { methodId } from "../../model/vm/methodId.ts";

/** The declaration of a contract interface. */
export interface ContractDeclaration {
  /** The name in the public index. */
  readonly name: string;
  /** Hashes of codes with only this interface, in base64. */
  readonly codes?: readonly string[];
  /** Get-methods of codes of this kind; an interface without methods is detected by code hash only. */
  readonly methods?: readonly string[];
}

/** A contract interface with its name. */
export interface Contract {
  readonly name: string;
  readonly codes: readonly Hash[];
  readonly methods: readonly string[];
  readonly methodIds: readonly number[];
}

/** Declares a contract interface. */
export function contract({ name, codes = [], methods = [] }: ContractDeclaration): Contract {
  return { name, codes: codes.map(parseHash), methods, methodIds: methods.map(methodId) };
}
