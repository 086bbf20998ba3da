import type { Address } from "../../../model/Address.ts";
import { type EntityContext, refusableAsync } from "../../kit/entity.ts";
import { getMethod } from "../../kit/getMethod.ts";
import { addressOrNone, notThis, type StackField, single, small, stack, stackInt } from "../../kit/stack.ts";

/** The auction of a domain right below `.ton`, in which the highest bidder gets the domain when it ends. */
export interface DnsAuction {
  readonly maxBidder: Address;
  readonly maxBid: bigint;
  readonly endAt: number;
}

const latestTime = 2n ** 40n;

/** Unix seconds; a contract may answer any number. */
const time: StackField<number> = {
  read: (value) => {
    const found = stackInt.read(value);
    if (found < 0n || found >= latestTime) throw notThis(`${found} where a time belongs`);
    return small(found);
  },
  abi: "uint64",
};

export const getAuctionInfo = getMethod(
  "get_auction_info",
  stack({ maxBidder: addressOrNone, maxBid: stackInt, endAt: stackInt }),
);
export const getLastFillUpTime = getMethod("get_last_fill_up_time", single(time, "last_fill_up_at"));

/** The auction of a domain; one that was claimed, and items without auctions, have none. */
export function findAuction(asking: EntityContext): Promise<DnsAuction | undefined> {
  return refusableAsync(async () => {
    const { maxBidder, maxBid, endAt } = await asking.own(getAuctionInfo.name, getAuctionInfo.result);
    if (maxBidder === undefined) return undefined;
    return { maxBidder, maxBid, endAt: time.read({ kind: "int", value: endAt }) };
  });
}

/** When the owner last paid for the domain. */
export function findLastFillUp(asking: EntityContext): Promise<number | undefined> {
  return refusableAsync(() => asking.own(getLastFillUpTime.name, getLastFillUpTime.result));
}
