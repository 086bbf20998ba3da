import type { Cell } from "../../../cell/Cell.ts";
import { address } from "../../kit/addressFields.ts";
import { type Body, group, quietBody } from "../../kit/declare.ts";
import { bigUint, int, maybeRefTo, queryId, uint32, uint64, uint256, vcoins } from "../../kit/fields.ts";

/** The part of a deposit's order that the service reads. */
export const toncoFundOrder = quietBody("tonco_pool_fund_account_payload", 0x4468de77, {
  otherJettonWallet: address,
  amount0: vcoins,
  amount1: vcoins,
});

const common = {
  queryId,
  receiver0: address,
  receiver1: address,
  exitCode: uint32,
  seqno: uint64,
  coins: maybeRefTo(group({ amount0: vcoins, wallet0: address, amount1: vcoins, wallet1: address })),
};

/** The common fields of all forms of the payment. */
export const toncoPayTo = quietBody("tonco_router_pay_to", 0xa1daa96d, common);

const uint128 = bigUint(128);
const tick = int(24);
const swapInfo = { liquidity: uint128, priceSqrt: bigUint(160), tick, feeGrowth0: uint256, feeGrowth1: uint256 };
const burnInfo = { nftIndex: uint64, liquidity: uint128, tickLower: tick, tickUpper: tick, tickBurnt: tick };

/** The forms of the payment that go on after the common fields, by exit code. */
const forms: ReadonlyMap<number, Body<unknown>> = new Map<number, Body<unknown>>([
  [200, quietBody("tonco_router_pay_to", 0xa1daa96d, { ...common, info: maybeRefTo(group(swapInfo)) })],
  [201, quietBody("tonco_router_pay_to", 0xa1daa96d, { ...common, info: maybeRefTo(group(burnInfo)) })],
]);

export type ToncoPayTo = NonNullable<ReturnType<typeof toncoPayTo.find>>;

/** The common fields; none where the rest of the form is unreadable, as in the service. */
export function findPayTo(cell: Cell): ToncoPayTo | undefined {
  const found = toncoPayTo.find(cell);
  const form = found === undefined ? undefined : forms.get(found.exitCode);
  return form === undefined || form.find(cell) !== undefined ? found : undefined;
}
