import type { FullVesting } from "../../../history/queries/vesting.ts";
import { decimal, int, list, nullable, shape } from "../../../lib/kit/shape.ts";
import { address, named } from "./scalars.ts";

/** A wallet whose coins are released over time. */
export const vestingInfo = named(
  "VestingInfo",
  shape<FullVesting>()({
    address: address((v) => v.row.address),
    start_time: nullable(int)((v) => v.row.startTime),
    total_duration: nullable(int)((v) => v.row.totalDuration),
    unlock_period: nullable(int)((v) => v.row.unlockPeriod),
    cliff_duration: nullable(int)((v) => v.row.cliffDuration),
    sender_address: nullable(address)((v) => v.row.senderAddress),
    owner_address: nullable(address)((v) => v.row.ownerAddress),
    total_amount: nullable(decimal)((v) => v.row.totalAmount),
    whitelist: list(address)((v) => v.whitelist),
  }),
);
