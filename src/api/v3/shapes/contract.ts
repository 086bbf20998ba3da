import { Type } from "typebox";
import type { CompiledSource } from "../../../contracts/AbiLibrary.ts";
import type { Abi, AbiMethod } from "../../../contracts/abi/Abi.ts";
import type { CodeHolders } from "../../../history/queries/accounts.ts";
import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import { deferJson, formatPlain, writeMixed } from "../../../lib/kit/deferredJson.ts";
import { field, int, list, nullable, omittable, shape, text } from "../../../lib/kit/shape.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { DecodedBy } from "../services/abis.ts";
import { address, hash, jsonObject, named } from "./scalars.ts";

/** An ABI: plain JSON. */
export const abi = field({
  schema: Type.Record(Type.String(), Type.Unknown(), { $id: "ContractAbi" }),
  encode: (value: Abi) => value,
  format: (value) => formatPlain(value),
});

/** Values and characters that are written at once; more of them are written in steps. */
const fewValues = 1_000;
const fewCharacters = 32 * 1024;

/** Whether a value has few parts and short texts. */
function isShort(value: JsonValue): boolean {
  const waiting = [value];
  let characters = 0;
  for (let count = 0; waiting.length > 0; count++) {
    const at = waiting.pop();
    if (typeof at === "string") characters += at.length;
    if (count > fewValues || characters > fewCharacters) return false;
    if (typeof at === "object" && at !== null) waiting.push(...(Array.isArray(at) ? at : Object.values(at)));
  }
  return true;
}

/** Values by name, of which a contract may have any number. */
const decodedFields = field({
  schema: jsonObject.schema,
  encode: (value: JsonObject): JsonObject => (isShort(value) ? value : deferJson((sink) => writeMixed(sink, value))),
});

/** Data of a contract by the names of an ABI. */
export const decodedBy = named(
  "DecodedByAbi",
  shape<DecodedBy>()({
    abi: text("Name of the ABI that describes it.", (d) => d.abi),
    name: omittable(text)("Name of the message; absent for storage and stacks.", (d) => d.name),
    fields: decodedFields(
      "Values by name: integers of more than 32 bits as decimal text, addresses in raw form, cells as bags in base64.",
      (d) => d.fields,
    ),
    rest: omittable(text)("What follows the fields, as a bag of cells in base64; absent when nothing.", (d) => d.rest),
  }),
);

export interface TypedMethod {
  readonly id: number;
  /** Absent for a method of which nothing but its number is known. */
  readonly method?: AbiMethod;
  readonly abi?: string;
}

const methodFields = field({
  schema: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  encode: (value: AbiMethod["args"]) => value,
  format: (value) => formatPlain(value),
});

const typedMethod = named(
  "DescribedMethod",
  shape<TypedMethod>()({
    id: int("Number of the method.", (m) => m.id),
    name: nullable(text)("Name of the method; null when it is unknown.", (m) => m.method?.name),
    abi: nullable(text)("Name of the ABI that describes it; null when none does.", (m) => m.abi),
    args: nullable(methodFields)("Arguments with names and types, the first one first.", (m) => m.method?.args),
    result: nullable(methodFields)("Results with names and types, the first one first.", (m) => m.method?.result),
  }),
);

/** Whether a source is that of a code. */
export interface SourceCheck {
  readonly compiled: CompiledSource;
  readonly codeHash: Hash | undefined;
}

function verdictOf({ compiled, codeHash }: SourceCheck): string {
  if (compiled.kind !== "compiled") return compiled.kind;
  return compiled.codeHash === codeHash ? "equal" : "different";
}

const sourceCheck = named(
  "SourceCheck",
  shape<SourceCheck>()({
    verdict: text(
      "`equal` when the source compiles to this code, `different` when to another one, `failed` when it does not compile, `absent` when no compiler is installed.",
      verdictOf,
    ),
    compiler: nullable(text)("Compiler and its version; null when nothing was compiled.", ({ compiled }) =>
      compiled.kind === "compiled" ? compiled.compiler : undefined,
    ),
    code_hash: nullable(hash)("Hash of the compiled code, in base64; null when there is none.", ({ compiled }) =>
      compiled.kind === "compiled" ? compiled.codeHash : undefined,
    ),
    reason: nullable(text)("Why there is no compiled code; null when there is.", ({ compiled }) => {
      if (compiled.kind === "absent") return `the package ${compiled.package} is not installed beside this program`;
      return compiled.kind === "failed" ? compiled.reason : undefined;
    }),
  }),
);

const codeHolders = named(
  "CodeHolders",
  shape<CodeHolders>()({
    accounts: list(address)("Addresses in raw form, in their order; at most 100.", (h) => h.accounts),
    next: nullable(address)("Value of `same_code_after` for those that follow; null when none do.", (h) => h.next),
  }),
);

/** What is known of a contract. */
export interface DescribedContract {
  readonly address: Address;
  readonly status: string;
  readonly codeHash: Hash | undefined;
  readonly dataHash: Hash | undefined;
  readonly interfaces: readonly string[];
  readonly methods: readonly TypedMethod[];
  readonly storage: DecodedBy | undefined;
  readonly abis: readonly Abi[];
  readonly source: string | undefined;
  readonly sourceCheck: SourceCheck | undefined;
  readonly sameCode: CodeHolders | undefined;
}

export const describedContract = named(
  "Contract",
  shape<DescribedContract>()({
    address: address("Address of the account, in raw form.", (c) => c.address),
    status: text("Status of the account: `active`, `uninit`, `frozen` or `nonexist`.", (c) => c.status),
    code_hash: nullable(hash)("Hash of the code cell, in base64; null without code.", (c) => c.codeHash),
    data_hash: nullable(hash)("Hash of the data cell, in base64; null without data.", (c) => c.dataHash),
    interfaces: list(text)("Names of the contract types that the account implements.", (c) => c.interfaces),
    methods: list(typedMethod)("Get-methods of its code, those with types first.", (c) => c.methods),
    storage: nullable(decodedBy)("Its data by names; null when no ABI has its layout.", (c) => c.storage),
    abis: list(abi)("ABIs of the contract, the particular before the general.", (c) => c.abis),
    same_code: nullable(codeHolders)(
      "Other accounts of the index with the same code; null unless `include_same_code` is set, and without code.",
      (c) => c.sameCode,
    ),
    source: nullable(text)("Source text of the code, as supplied with an ABI; null when unknown.", (c) => c.source),
    source_check: nullable(sourceCheck)(
      "Whether the source compiles to this code; null unless `check_source` is set, and without a source.",
      (c) => c.sourceCheck,
    ),
  }),
);
