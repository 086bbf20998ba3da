import { type Address, makeAddress, parseAddress } from "../../../model/Address.ts";
import { parseHash } from "../../../model/Hash.ts";
import { openSlice, type VmCellSlice } from "../../../model/vm/VmCellSlice.ts";
import { type EntityContext, entity } from "../../kit/entity.ts";
import { notThis } from "../../kit/stack.ts";
import { intValue, partValue } from "../../kit/stackValues.ts";
import { getAssets, getPoolAddress, getReserves, getTradeFee, isStable as stableMethod } from "./interfaces.ts";

/** A pool of two assets, confirmed by the exchange's factory. */
export interface DedustPool {
  readonly kind: "dedustPool";
  /** Masters of jettons; TON is `undefined`. */
  readonly assets: readonly [Address | undefined, Address | undefined];
  readonly reserves: readonly [bigint, bigint];
  readonly type: "volatile" | "stable";
  /** The fee as a fraction: numerator and denominator. */
  readonly feeNumerator: bigint;
  readonly feeDenominator: bigint;
}

const factory = parseAddress("EQBfBWT7X2BHg9tXAxzhz2aKiNTU1tpt5NsiK0uSDW_YAJ67").address;

const codes = [
  "1275095b6da3911292406f4f4386f9e780099b854c6dee9ee2895ddce70927c1",
  "778f0d3fe6482c50888970df5e787f40f3a4ab282170c035a5920877058c99d3",
  "c0f9d14fbc8e14f0d72cba2214165eee35836ab174130912baf9dbfa43ead562",
].map(parseHash);

// native$0000 = Asset; jetton$0001 workchain_id:int8 address:bits256 = Asset;
function readAsset(part: VmCellSlice): Address | undefined {
  const asset = openSlice(part);
  const tag = asset.loadUint(4);
  if (tag > 1) throw notThis(`an asset of kind ${tag}`);
  return tag === 0 ? undefined : makeAddress(asset.loadInt(8), asset.loadHash());
}

async function run(asking: EntityContext) {
  const [assets, isStable, reserves, fee] = await Promise.all([
    asking.own(getAssets.name, getAssets.result),
    asking.own(stableMethod.name, stableMethod.result),
    asking.own(getReserves.name, getReserves.result),
    asking.own(getTradeFee.name, getTradeFee.result),
  ]);
  return { assets, isStable, reserves, fee };
}

async function confirm(
  { assets, isStable, reserves, fee }: Awaited<ReturnType<typeof run>>,
  asking: EntityContext,
): Promise<DedustPool> {
  const args = [intValue(isStable ? 1n : 0n), partValue(assets.first), partValue(assets.second)];
  const pool = await asking.other(factory, getPoolAddress.name, args, getPoolAddress.result);
  if (pool !== asking.account.address) throw notThis("the factory has another pool of these assets");
  return {
    kind: "dedustPool",
    assets: [readAsset(assets.first), readAsset(assets.second)],
    reserves: [reserves.first, reserves.second],
    type: isStable ? "stable" : "volatile",
    feeNumerator: fee.numerator,
    feeDenominator: fee.denominator,
  };
}

export const dedustPool = entity({
  codes,
  methods: ["get_assets", "is_stable", "get_reserves", "get_trade_fee"],
  run,
  confirm,
});
