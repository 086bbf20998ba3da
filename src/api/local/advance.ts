import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { intArg } from "../v2/args.ts";
import type { LocalServices } from "./LocalServices.ts";
import { chainTime, readTime } from "./time.ts";

const year = 366 * 24 * 3600;

/** Lets time pass on the chain. */
export const advance = endpointsOver<LocalServices>()({
  name: "advance",
  tag: "localnet",
  summary: "Advances the time of the local network by seconds; the next block has the new time.",
  description:
    "Time goes forwards only, by at most a year at once. `now` is the chain's time afterwards, in Unix seconds; it stays ahead of the machine's.",
  isExtra: true,
  methods: ["POST"],
  args: {
    seconds: arg("Number of seconds to advance.", intArg({ min: 1, max: year, missing: "seconds is required" }), {
      value: 1,
    }),
  },
  result: chainTime,
  run: (services, { seconds }) => {
    services.advanceTime(seconds);
    return readTime(services);
  },
});
