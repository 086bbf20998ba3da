import type { Abi, AbiConstructor, AbiFields, AbiStorage, AbiType } from "../../../contracts/abi/Abi.ts";

/** Options of a read. */
export interface ContractReadOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** Seqno of the masterchain block at which the account is read; the newest one if left out. Only of v2. */
  readonly seqno?: number;
}

/** A value whose type only the ABI at run time says. */
export type AbiValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly AbiValue[]
  | { readonly [name: string]: AbiValue };

type Types = Readonly<Record<string, AbiType>>;
type TypesOf<A extends Abi> = A["types"] extends Types ? A["types"] : Readonly<Record<never, AbiType>>;
type Items<List> = List extends readonly (infer Item)[] ? Item : never;

/** Values are given as numbers or bigints, and answered as numbers up to 32 bits, otherwise as bigints. */
type Way = "given" | "answered";
type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
type Narrow = Digit | `${"1" | "2"}${Digit}` | "30" | "31" | "32";
type IntegerOf<Bits, W extends Way> = W extends "given" ? bigint | number : Bits extends Narrow ? number : bigint;

/** A value of the stack of any kind: text for a number, and else its kind with a bag in base64. */
export type AnyStackValue = null | string | readonly AnyStackValue[] | { readonly [kind: string]: string | null };

type ScalarOf<S extends string, W extends Way> = S extends `uint${infer Bits}`
  ? IntegerOf<Bits, W>
  : S extends `int${infer Bits}`
    ? IntegerOf<Bits, W>
    : S extends "coins" | "varuint16" | "varuint32" | "varint16" | "varint32"
      ? IntegerOf<"256", W>
      : S extends "bool"
        ? boolean
        : S extends "address?" | "anyAddress" | "cell?"
          ? string | null
          : S extends "content"
            ? string | { readonly [attribute: string]: string }
            : S extends "any"
              ? AnyStackValue
              : string;

/** The value of a type. */
export type AbiValueOf<T, N extends Types, W extends Way> = AbiType extends T
  ? AbiValue
  : T extends string
    ? ScalarOf<T, W>
    : T extends { readonly maybe: infer Inner }
      ? AbiValueOf<Inner, N, W> | null
      : T extends { readonly ref: infer Inner } | { readonly either: infer Inner }
        ? AbiValueOf<Inner, N, W>
        : T extends { readonly many: infer Inner } | { readonly array: infer Inner } | { readonly list: infer Inner }
          ? readonly AbiValueOf<Inner, N, W>[]
          : T extends { readonly dict: { readonly key: infer Key; readonly value: infer Value } }
            ? readonly { readonly key: AbiValueOf<Key, N, W>; readonly value: AbiValueOf<Value, N, W> }[]
            : T extends { readonly struct: infer F extends AbiFields } | { readonly tuple: infer F extends AbiFields }
              ? FieldsOf<F, N, W>
              : T extends { readonly union: infer List }
                ? ConstructorOf<Items<List>, N, W>
                : T extends { readonly named: infer Name extends keyof N }
                  ? AbiValueOf<N[Name], N, W>
                  : AbiValue;

type ConstructorOf<C, N extends Types, W extends Way> = C extends AbiConstructor
  ? Flat<{ readonly "@type": C["name"] } & FieldsOf<C["fields"], N, W>>
  : never;

/** One object type instead of several joined ones, for readers of messages and editors. */
type Flat<T> = { readonly [Name in keyof T]: T[Name] };

type Answered<F extends AbiFields, N extends Types> = {
  readonly [Field in F[number] as Field["name"]]: AbiValueOf<Field["type"], N, "answered">;
};

type Given<F extends AbiFields, N extends Types> = {
  readonly [Field in F[number] as Field["name"]]: AbiValueOf<Field["type"], N, "given">;
};

/** What may be null may be left out. */
type Omittable<T> = { [Name in keyof T]-?: null extends T[Name] ? Name : never }[keyof T];
type WithOmittable<T> = Flat<Omit<T, Omittable<T>> & { readonly [Name in Omittable<T>]?: T[Name] }>;

/** The values of fields by their names. */
export type FieldsOf<F extends AbiFields, N extends Types, W extends Way> = AbiFields extends F
  ? { readonly [name: string]: AbiValue }
  : W extends "given"
    ? WithOmittable<Given<F, N>>
    : Answered<F, N>;

/** A function whose first argument may be left out where no value is needed. */
type Reader<Fields, Result> =
  Record<never, never> extends Fields
    ? (args?: Fields, options?: ContractReadOptions) => Promise<Result>
    : (args: Fields, options?: ContractReadOptions) => Promise<Result>;
type Encoder<Fields> = Record<never, never> extends Fields ? (fields?: Fields) => string : (fields: Fields) => string;

type Decoded<C, N extends Types> = C extends AbiConstructor
  ? {
      /** Name of the message. */
      readonly name: C["name"];
      /** Its values by name. */
      readonly fields: FieldsOf<C["fields"], N, "answered">;
      /** Bits and references after the fields; a bag in base64. */
      readonly rest?: string;
    }
  : never;

/** A decoded message: `name` tells which fields it has. */
export type ContractMessage<A extends Abi> = Decoded<
  Items<A["receives"]> | Items<A["sends"]> | Items<A["emits"]>,
  TypesOf<A>
>;

type Stored<S, N extends Types> = S extends AbiStorage ? FieldsOf<S["fields"], N, "answered"> : never;

/** The data of the contract: one of the layouts of its ABI. */
export type ContractStorage<A extends Abi> = Stored<Items<A["storage"]>, TypesOf<A>>;

/**
 * A contract by its ABI. Integers of more than 32 bits are bigints, addresses are raw text, cells are bags in base64.
 * Errors of values have codes `abi/…`; those of requests are `ApiError`.
 */
export interface TypedContract<A extends Abi> {
  /** As it was given. */
  readonly address: string;
  /** The ABI that was given, checked. */
  readonly abi: A;
  /** Runs a get-method. "api/exit-code" when it fails, with the code and, where the ABI has them, its words. */
  readonly read: {
    readonly [M in Items<A["methods"]> as M["name"]]: Reader<
      FieldsOf<M["args"], TypesOf<A>, "given">,
      FieldsOf<M["result"], TypesOf<A>, "answered">
    >;
  };
  /** Makes the body of a message that the contract accepts, as a bag in base64. */
  readonly encode: {
    readonly [C in Items<A["receives"]> as C["name"]]: Encoder<FieldsOf<C["fields"], TypesOf<A>, "given">>;
  };
  /** The message that a body is, a bag in base64 or hex; undefined when it is none of the ABI. */
  decode(body: string): ContractMessage<A> | undefined;
  /** The data of the account. "abi/data" when it has none, or none of the ABI's layouts. */
  storage(options?: ContractReadOptions): Promise<ContractStorage<A>>;
}

/** What opens contracts. */
export interface ContractOpener {
  /**
   * A contract with methods and types of its ABI, given inline or `as const`. What it needs is loaded when it is used.
   */
  contract<const A extends Abi>(address: string, abi: A): Promise<TypedContract<A>>;
}
