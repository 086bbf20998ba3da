/**
 * Types without parts. In cells they are as TL-B has them; on the stack a number is an integer, `cell` and `content`
 * are cells, and all others are slices.
 *
 * - `uintN`, `intN`: N bits, 1 to 256 (257 for `int`); `int` alone is a number of the stack;
 * - `varuint16`, `varuint32`, `varint16`, `varint32`, `coins` (the same as `varuint16`);
 * - `address` (an account), `address?` (an account or none), `anyAddress` (also external ones);
 * - `bitsN`: N bits; `slice`: all bits and references that remain;
 * - `text`, `bytes`: all that remains, continued in the first reference of each cell;
 * - `cell`: any referenced cell; `cell?`: one if the cell has a reference left, on the stack a cell or null;
 * `content`: a referenced cell with the content of a token (TEP-64);
 * - `any`: a value of the stack of any kind.
 */
export type AbiScalar =
  | `uint${number}`
  | `int${number}`
  | "int"
  | "varuint16"
  | "varuint32"
  | "varint16"
  | "varint32"
  | "coins"
  | "bool"
  | "address"
  | "address?"
  | "anyAddress"
  | `bits${number}`
  | "slice"
  | "text"
  | "bytes"
  | "cell"
  | "cell?"
  | "content"
  | "any";

/** The type of a value. */
export type AbiType =
  | AbiScalar
  /** Maybe X; on the stack null or X. */
  | { readonly maybe: AbiType }
  /** ^X: a reference to a cell with X and nothing else; on the stack a cell. */
  | { readonly ref: AbiType }
  /** Either X ^X, encoded as ^X; on the stack a slice with it. */
  | { readonly either: AbiType }
  /** HashmapE; keys are `uintN`, `intN`, `bitsN` or `address`. On the stack the cell of its root, or null. */
  | { readonly dict: { readonly key: AbiScalar; readonly value: AbiType } }
  /** ^(Hashmap n X): a reference to a dictionary that is not empty; the same keys and the same on the stack. */
  | { readonly hashmap: { readonly key: AbiScalar; readonly value: AbiType } }
  /** Values one after another until the cell ends; on the stack a slice with them. */
  | { readonly many: AbiType }
  /** Fields one after another, in cells and on the stack. */
  | { readonly struct: AbiFields }
  /** One of several constructors, by their tags; on the stack a slice with it. */
  | { readonly union: readonly AbiConstructor[] }
  /** A tuple of these fields. On the stack only. */
  | { readonly tuple: AbiFields }
  /** A tuple of equal items. On the stack only. */
  | { readonly array: AbiType }
  /** A list: pairs of an item and the rest, ended by null. On the stack only. */
  | { readonly list: AbiType }
  /** A type of `types`. */
  | { readonly named: string };

/** A named value; `doc` is text for people. */
export interface AbiField {
  /** Its name, one of a kind in its list. */
  readonly name: string;
  /** How it is stored. */
  readonly type: AbiType;
  /** What it means, for people. */
  readonly doc?: string;
}

export type AbiFields = readonly AbiField[];

/**
 * A named layout with its tag in the notation of TL-B: `#0f8a7ea5` in hex, `$01` in bits. A message without a tag is
 * recognised by its whole layout.
 */
export interface AbiConstructor {
  /** Its name, by which it is encoded. */
  readonly name: string;
  /** What it begins with; nothing when absent. */
  readonly tag?: string;
  /** What follows the tag, in order. */
  readonly fields: AbiFields;
  /** What it means, for people. */
  readonly doc?: string;
}

export interface AbiMethod {
  /** Its name, of which its number is the CRC-16. */
  readonly name: string;
  /** Where it is not the CRC-16 of the name. */
  readonly id?: number;
  /** The arguments, the first one lowest on the stack. */
  readonly args: AbiFields;
  /** The results, the first one lowest on the stack. */
  readonly result: AbiFields;
  /** What it tells, for people. */
  readonly doc?: string;
}

/** A layout of the data of a contract; layouts are tried in their order. */
export interface AbiStorage {
  /** The data from its first bit to its last. */
  readonly fields: AbiFields;
  /** Hashes of codes with this layout, in base64; without them it belongs to every code. */
  readonly codes?: readonly string[];
  /** What the layout belongs to, for people. */
  readonly doc?: string;
}

/** What is known of a contract interface: plain JSON. Names come from strangers: whoever shows them escapes them. */
export interface Abi {
  /** Name of the contract or interface. */
  readonly name: string;
  /** What the contract does, for people. */
  readonly doc?: string;
  /** Hashes of codes of this contract, in base64. */
  readonly codes?: readonly string[];
  /** Types by name; none contains itself. */
  readonly types?: Readonly<Record<string, AbiType>>;
  /** Get-methods. */
  readonly methods?: readonly AbiMethod[];
  /** Messages it accepts, internal and external. */
  readonly receives?: readonly AbiConstructor[];
  /** Messages it sends to accounts. */
  readonly sends?: readonly AbiConstructor[];
  /** Messages it sends to nowhere: events. */
  readonly emits?: readonly AbiConstructor[];
  /** Layouts of its data, tried in their order. */
  readonly storage?: readonly AbiStorage[];
  /** What exit codes mean, by the code in decimal. */
  readonly errors?: Readonly<Record<string, string>>;
}
