import type { Address } from "../../../model/Address.ts";
import { findText, loadSnake } from "../../../model/content/Snake.ts";
import { openSlice, type VmCellSlice } from "../../../model/vm/VmCellSlice.ts";
import { type EntityContext, entity, refusableAsync } from "../../kit/entity.ts";
import { getMethod } from "../../kit/getMethod.ts";
import { addressOrNone, notThis, num, orNull, single, slice, stack, stackInt } from "../../kit/stack.ts";

/** A user name, number or gift of Fragment, with its auction. */
export interface Teleitem {
  readonly kind: "teleitem";
  readonly tokenName: string;
  readonly bidder: Address | undefined;
  /** Of the current auction, like the fields up to `endAt`; 0 without one. */
  readonly bid: bigint;
  readonly bidAt: number;
  readonly minBid: bigint;
  readonly endAt: number;
  readonly beneficiary: Address | undefined;
  readonly initialMinBid: bigint;
  readonly maxBid: bigint;
  readonly minBidStep: bigint;
  readonly minExtendTime: number;
  readonly duration: number;
  readonly royaltyNumerator: number;
  readonly royaltyDenominator: number;
  readonly royaltyDestination: Address | undefined;
}

export const getTokenName = getMethod(
  "get_telemint_token_name",
  single({ ...slice, abi: "text" as const }, "token_name"),
);
export const getAuctionState = getMethod(
  "get_telemint_auction_state",
  stack({ bidder: orNull(addressOrNone), bid: stackInt, bidAt: num, minBid: stackInt, endAt: num }),
);
export const getAuctionConfig = getMethod(
  "get_telemint_auction_config",
  stack({
    beneficiary: orNull(addressOrNone),
    initialMinBid: stackInt,
    maxBid: stackInt,
    minBidStep: stackInt,
    minExtendTime: num,
    duration: num,
  }),
);
export const royaltyParams = getMethod(
  "royalty_params",
  stack({
    royaltyNumerator: num,
    royaltyDenominator: num,
    royaltyDestination: addressOrNone,
  }),
);

const noAuction = { bidder: undefined, bid: 0n, bidAt: 0, minBid: 0n, endAt: 0 };

async function run(asking: EntityContext): Promise<Teleitem> {
  const [name, state, config, royalty] = await Promise.all([
    asking.own(getTokenName.name, getTokenName.result),
    // Without an auction the method ends with a dedicated exit code.
    refusableAsync(() => asking.own(getAuctionState.name, getAuctionState.result)),
    asking.own(getAuctionConfig.name, getAuctionConfig.result),
    asking.own(royaltyParams.name, royaltyParams.result),
  ]);
  return { kind: "teleitem", tokenName: readName(name), ...(state ?? noAuction), ...config, ...royalty };
}

const longestName = 1024;

function readName(name: VmCellSlice): string {
  const text = findText(loadSnake(openSlice(name), longestName));
  if (text === undefined) throw notThis("a name that is no text");
  return text.replaceAll("\0", "");
}

export const teleitem = entity({
  methods: ["get_telemint_token_name", "get_telemint_auction_config", "royalty_params"],
  run,
  confirm: (teleitem): Teleitem => teleitem,
});
