import { type Hash, parseHash } from "../../model/Hash.ts";
import { methodId } from "../../tvm/methodId.ts";

/** What an interface of contracts is told by. */
export interface ContractDeclaration {
  /** As the public index spells it. */
  readonly name: string;
  /** Hashes of codes that are this and nothing else, in base64. */
  readonly codes?: readonly string[];
  /** Get-methods that a code of this kind has; one without them is told by its hash alone. */
  readonly methods?: readonly string[];
}

/** An interface of contracts, known under one name. */
export interface Contract {
  readonly name: string;
  readonly codes: readonly Hash[];
  readonly methods: readonly string[];
  readonly methodIds: readonly number[];
}

/** Declares an interface of contracts. */
export function contract({ name, codes = [], methods = [] }: ContractDeclaration): Contract {
  return { name, codes: codes.map(parseHash), methods, methodIds: methods.map(methodId) };
}
