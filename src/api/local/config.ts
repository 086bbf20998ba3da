import { optional } from "../../lib/kit/arg.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { intArg } from "../v2/args.ts";
import { bagArg } from "./args.ts";
import type { LocalServices } from "./LocalServices.ts";
import { awaitControl, controlled } from "./postedControl.ts";
import { sampleBag } from "./samples.ts";

/** Changes a parameter of the configuration. */
export const setConfig = endpointsOver<LocalServices>()({
  name: "setConfig",
  tag: "state",
  summary: "Sets a parameter of the configuration, or removes it.",
  description:
    "The masterchain block that has it is a key block, unless the parameter is negative. Parameters that the network has a form for must have that form. The validators (32 to 37) and the address of the configuration (0) cannot be changed.",
  isExtra: true,
  methods: ["POST"],
  args: {
    param: arg("Number of the parameter.", intArg(), { value: -999 }),
    value: arg("New value, as a bag of cells in base64; left out to remove it.", optional(bagArg), sampleBag),
  },
  result: controlled,
  run: ({ net, clock }, { param, value }) => awaitControl(net.controls.setConfig(param, value), clock),
});
