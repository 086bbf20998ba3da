import { optional } from "../../lib/kit/arg.ts";
import { arg } from "../declare/argument.ts";
import { addressArg, seqnoArg } from "./args.ts";

export const accountArgs = {
  address: arg("Address of the account.", addressArg(), "wallet"),
  seqno: arg(
    "Seqno of the masterchain block at which the account is read; the newest one if left out.",
    optional(seqnoArg),
  ),
};
