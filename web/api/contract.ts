import { type Ask, get, readPlain } from "./ask.ts";

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

/** What is known of a contract; names come from whoever wrote its ABI. */
interface ContractAnswer {
  readonly methods: ContractMethods;
  readonly storage: { readonly abi: string; readonly fields: object } | null;
  readonly abis: readonly { readonly errors?: Readonly<Record<string, string>> }[];
}

export function askContract(address: string): Ask<ContractAnswer> {
  return get("/api/v3/contract", { address }, readPlain<ContractAnswer>);
}
