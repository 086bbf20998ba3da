import type { FullVesting } from "../../../history/queries/vesting.ts";
import { decimal, int, list, nullable, shape } from "../../../lib/kit/shape.ts";
import { address, named } from "./scalars.ts";

/** A wallet whose coins are released over time. */
export const vestingInfo = named(
  "VestingInfo",
  shape<FullVesting>()({
    address: address("Address of the vesting contract, in raw form.", (v) => v.row.address),
    start_time: nullable(int)("Time when vesting begins, in Unix seconds.", (v) => v.row.startTime),
    total_duration: nullable(int)("Length of vesting, in seconds.", (v) => v.row.totalDuration),
    unlock_period: nullable(int)("Time after which a further part is unlocked, in seconds.", (v) => v.row.unlockPeriod),
    cliff_duration: nullable(int)(
      "Time at the beginning in which nothing is unlocked, in seconds.",
      (v) => v.row.cliffDuration,
    ),
    sender_address: nullable(address)(
      "Address of the account that funded the contract; null for none.",
      (v) => v.row.senderAddress,
    ),
    owner_address: nullable(address)("Address of the owner; null for none.", (v) => v.row.ownerAddress),
    total_amount: nullable(decimal)("Amount that is vested, in nanocoins.", (v) => v.row.totalAmount),
    whitelist: list(address)("Addresses to which locked coins may go.", (v) => v.whitelist),
  }),
);
