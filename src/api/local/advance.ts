import { Type } from "typebox";
import { field } from "../../lib/kit/shape.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { intArg } from "../v2/args.ts";
import { typed } from "../v2/shapes/typed.ts";
import type { LocalServices } from "./LocalServices.ts";

const year = 366 * 24 * 3600;

const seconds = field({ schema: Type.Integer(), encode: (value: number) => value });

const chainTime = typed<{ readonly now: number }>()("localnet.time", { now: seconds((time) => time.now) });

/** Lets time pass on the chain. */
export const advance = endpointsOver<LocalServices>()({
  name: "advance",
  tag: "localnet",
  summary: "Lets so many seconds pass on the local network; the next block is made at the new time.",
  description:
    "Time goes forwards only, by at most a year at once. `now` is the chain's time afterwards, in Unix seconds; it stays ahead of the machine's.",
  isExtra: true,
  methods: ["POST"],
  args: { seconds: intArg({ min: 1, max: year, missing: "seconds is required" }) },
  result: chainTime,
  run: ({ advanceTime }, args) => ({ now: advanceTime(args.seconds) }),
});
