import { int, list, nullable, text } from "../../lib/kit/shape.ts";
import type { ForkReport } from "../../localnet/fork/Fork.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { addressArg, listArg } from "../v2/args.ts";
import { blockIdExt } from "../v2/shapes/ids.ts";
import { typed } from "../v2/shapes/typed.ts";
import type { LocalServices } from "./LocalServices.ts";
import { sampleAccount } from "./samples.ts";

const report = typed<ForkReport>()("localnet.fork", {
  origin: text("Network that this one continues.", ({ facts }) => facts.origin),
  block: blockIdExt("Last masterchain block of that network.", ({ facts }) => facts.master),
  accounts: int("Accounts that were fetched, with those that do not exist.", ({ accounts }) => accounts),
  messages_left: nullable(int)(
    "Messages that were under way there and are not delivered here; null where that network does not count them.",
    ({ messagesLeft }) => messagesLeft,
  ),
  queries: int("Queries to that network since this process started.", ({ queries }) => queries),
});

const declare = endpointsOver<LocalServices>();

function reports({ net: { fork } }: LocalServices): readonly ForkReport[] {
  return fork === undefined ? [] : [fork.report()];
}

/** What a local network has of the one that it continues. */
export const forkEndpoints = [
  declare({
    name: "fork",
    tag: "localnet",
    summary: "What this network continues, and how much it has fetched; none if it is no fork.",
    description:
      "A fork continues the chain of another network at one block. Accounts and libraries are fetched, proved and stored when they are first asked for, called or sent to; those of older blocks are asked there.",
    isExtra: true,
    methods: ["GET"],
    args: {},
    result: list(report),
    run: reports,
  }),
  declare({
    name: "forkFetch",
    tag: "localnet",
    summary: "Fetches accounts of the network that this one continues, with their libraries.",
    description: "They stay in the data folder: the fork works with them while that network cannot be reached.",
    isExtra: true,
    methods: ["POST"],
    args: { addresses: arg("Addresses of the accounts.", listArg(addressArg()), { value: [sampleAccount.value] }) },
    result: list(report),
    run: async (services, { addresses }, { signal }) => {
      await services.net.touch(
        addresses.map(({ address }) => address),
        signal,
      );
      return reports(services);
    },
  }),
];
