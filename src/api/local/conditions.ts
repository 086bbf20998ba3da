import { withDefault } from "../../lib/kit/arg.ts";
import { int } from "../../lib/kit/shape.ts";
import type { Conditions } from "../../localnet/network/ConditionedServer.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { intArg } from "../v2/args.ts";
import { typed } from "../v2/shapes/typed.ts";
import type { LocalServices } from "./LocalServices.ts";

const share = withDefault(intArg({ min: 0, max: 100 }), 0);

const conditions = typed<Conditions>()("localnet.conditions", {
  delay_ms: int("Milliseconds that every query waits.", ({ delayMs }) => delayMs),
  refuse: int("Percent of the queries that are refused.", ({ refused }) => refused),
  drop: int("Percent of the queries that are never answered.", ({ dropped }) => dropped),
  lose_messages: int("Percent of the sent messages that are accepted and lost.", ({ lost }) => lost),
});

/** Makes the network bad. */
export const networkConditions = endpointsOver<LocalServices>()({
  name: "networkConditions",
  tag: "blocks",
  summary: "Delays, refuses and drops lite queries, and loses messages, to test clients against a bad network.",
  description:
    "It concerns lite clients and live answers over HTTP, not the index and not these controls. What is left out is 0, so that a request without arguments makes the network good again, as a restart does.",
  isExtra: true,
  methods: ["POST"],
  args: {
    delay_ms: arg("Milliseconds that every query waits.", withDefault(intArg({ min: 0, max: 60_000 }), 0)),
    refuse: arg("Percent of the queries that are refused.", share),
    drop: arg("Percent of the queries that are never answered.", share),
    lose_messages: arg("Percent of the sent messages that are accepted and lost.", share),
  },
  result: conditions,
  run: ({ setConditions }, { delay_ms: delayMs, refuse: refused, drop: dropped, lose_messages: lost }) => {
    const wanted = { delayMs, refused, dropped, lost };
    setConditions(wanted);
    return wanted;
  },
});
