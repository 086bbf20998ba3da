import { optional, withDefault } from "../../lib/kit/arg.ts";
import { list } from "../../lib/kit/shape.ts";
import { StateInit } from "../../model/StateInit.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { addressArg, boolArg } from "../v2/args.ts";
import { rawLower } from "../v2/shapes/scalars.ts";
import { bagArg, coinsArg, valueArg } from "./args.ts";
import type { LocalServices } from "./LocalServices.ts";
import { awaitControl, controlled } from "./postedControl.ts";
import { sampleAccount } from "./samples.ts";

const declare = endpointsOver<LocalServices>();
const address = arg("Address of the account.", addressArg(), sampleAccount);
const addresses = list(rawLower);

const common = { tag: "impersonation", isExtra: true, methods: ["POST"] } as const;

/** Controls that act for accounts without their keys. */
export const impersonationEndpoints = [
  declare({
    name: "impersonate",
    ...common,
    summary: "Accepts external messages of an account without its key.",
    description:
      "All signature checks of its external messages succeed, until `stopImpersonating` or the end of the program. Such a transaction has mode 1 in its compute phase. The answer lists all accounts that are impersonated.",
    args: { address },
    result: addresses,
    run: ({ net: { controls } }, args) => {
      controls.impersonate(args.address.address);
      return controls.impersonated();
    },
  }),
  declare({
    name: "stopImpersonating",
    ...common,
    summary: "Checks the signatures of an account again.",
    description: "The answer lists all accounts that are still impersonated.",
    args: { address },
    result: addresses,
    run: ({ net: { controls } }, args) => {
      controls.stopImpersonating(args.address.address);
      return controls.impersonated();
    },
  }),
  declare({
    name: "impersonated",
    ...common,
    summary: "The accounts whose external messages need no key.",
    methods: ["GET"],
    args: {},
    result: addresses,
    run: ({ net: { controls } }) => controls.impersonated(),
  }),
  declare({
    name: "sendAs",
    ...common,
    summary: "Delivers an internal message from any address to any other.",
    description:
      "It is delivered in the next block and begins a trace. Its coins are created: the sender's balance does not change. It has a logical time before that of the first block, because no transaction has sent it. A bounced message goes to the sender.",
    args: {
      from: arg("Address of the sender.", addressArg(), "wallet"),
      to: arg("Address of the receiver.", addressArg(), sampleAccount),
      value: arg("Coins that go with it.", coinsArg, { value: "1" }),
      body: arg("Body of the message, as a bag of cells in base64; empty when left out.", optional(bagArg)),
      state_init: arg(
        "State for a receiver without code, a `StateInit` as a bag of cells in base64.",
        optional(valueArg(StateInit, "a StateInit")),
      ),
      bounce: arg("Whether it bounces when the receiver fails.", withDefault(boolArg, true)),
    },
    result: controlled,
    run: async ({ net, clock }, { from, to, value, body, state_init: init, bounce }, { signal }) => {
      await net.touch([to.address], signal);
      const forged = { from: from.address, to: to.address, value, body, init, bounce };
      return awaitControl(net.controls.sendAs(forged), clock);
    },
  }),
];
