import type { AbiFields, AbiType } from "../abi/Abi.ts";
import { snakeCase } from "./declare.ts";
import { type StackField, type StackShape, stackAbi } from "./stack.ts";

/** A get-method by the types of its arguments and results. */
export interface DescribedMethod {
  readonly name: string;
  readonly args: AbiFields;
  readonly result: { readonly abi: AbiFields };
}

/** A get-method whose result is read in code. */
export interface GetMethod<V> extends DescribedMethod {
  readonly result: StackShape<V>;
}

/** Declares a get-method; its arguments are in the order of the stack, the lowest first. */
export function getMethod<V>(
  name: string,
  result: StackShape<V>,
  args: Readonly<Record<string, Pick<StackField<unknown>, "abi">>> = {},
): GetMethod<V> {
  return { name, args: stackAbi(args), result };
}

type Types = Readonly<Record<string, AbiType>>;

/** Declares a get-method that no code of ours runs. */
export function describedMethod(name: string, result: Types, args: Types = {}): DescribedMethod {
  return { name, args: typedFields(args), result: { abi: typedFields(result) } };
}

/** Fields by their types. */
export function typedFields(types: Types): AbiFields {
  return Object.entries(types).map(([field, type]) => ({ name: snakeCase(field), type }));
}
