import { type Codec, lazy, type struct, uint64, union, type ValueOf } from "../../cell/codec.ts";

const plain = {
  gasPrice: uint64,
  gasLimit: uint64,
  gasCredit: uint64,
  blockGasLimit: uint64,
  freezeDueLimit: uint64,
  deleteDueLimit: uint64,
};
const extended = {
  gasPrice: uint64,
  gasLimit: uint64,
  specialGasLimit: uint64,
  gasCredit: uint64,
  blockGasLimit: uint64,
  freezeDueLimit: uint64,
  deleteDueLimit: uint64,
};
type Plain = ValueOf<ReturnType<typeof struct<typeof plain>>>;
type Extended = ValueOf<ReturnType<typeof struct<typeof extended>>>;

export type GasLimitsPrices =
  | ({ readonly kind: "plain" } & Plain)
  | ({ readonly kind: "extended" } & Extended)
  | {
      readonly kind: "flat";
      readonly flatGasLimit: bigint;
      readonly flatGasPrice: bigint;
      readonly other: GasLimitsPrices;
    };

// gas_prices#dd gas_price:uint64 gas_limit:uint64 gas_credit:uint64 block_gas_limit:uint64
//   freeze_due_limit:uint64 delete_due_limit:uint64 = GasLimitsPrices;
// gas_prices_ext#de gas_price:uint64 gas_limit:uint64 special_gas_limit:uint64 gas_credit:uint64
//   block_gas_limit:uint64 freeze_due_limit:uint64 delete_due_limit:uint64 = GasLimitsPrices;
// gas_flat_pfx#d1 flat_gas_limit:uint64 flat_gas_price:uint64 other:GasLimitsPrices = GasLimitsPrices;
export const GasLimitsPrices: Codec<GasLimitsPrices> = union({
  plain: ["#dd", plain],
  extended: ["#de", extended],
  flat: [
    "#d1",
    // All prefixes are in one cell, so seven are the maximum.
    { flatGasLimit: uint64, flatGasPrice: uint64, other: lazy((): Codec<GasLimitsPrices> => GasLimitsPrices) },
  ],
});

/**
 * The prices, independent of the constructors: without a prefix the flat price is zero, without a special limit it is
 * the limit.
 */
export interface GasPrices extends Extended {
  readonly flatGasLimit: bigint;
  readonly flatGasPrice: bigint;
}

export function gasPricesOf(value: GasLimitsPrices): GasPrices {
  let flat = { flatGasLimit: 0n, flatGasPrice: 0n };
  let at = value;
  while (at.kind === "flat") {
    flat = { flatGasLimit: at.flatGasLimit, flatGasPrice: at.flatGasPrice };
    at = at.other;
  }
  const { kind: _, ...prices } = at;
  return { specialGasLimit: prices.gasLimit, ...prices, ...flat };
}
