import type { Cell } from "../../cell/Cell.ts";
import { int, list } from "../../lib/kit/shape.ts";
import { Account } from "../../model/Account.ts";
import { plainAddress } from "../../model/Address.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { addressArg, listArg } from "../v2/args.ts";
import { boc } from "../v2/shapes/ids.ts";
import { typed } from "../v2/shapes/typed.ts";
import { valueArg } from "./args.ts";
import type { LocalServices } from "./LocalServices.ts";
import { awaitControl, controlled } from "./postedControl.ts";
import { sampleAccount } from "./samples.ts";

const declare = endpointsOver<LocalServices>();

const dumped = typed<readonly Cell[]>()("localnet.accounts", {
  accounts: list(boc)("Each `Account` as a bag of cells in base64.", (cells) => cells),
  count: int("Number of accounts.", ({ length }) => length),
});

const common = { tag: "state", isExtra: true, methods: ["POST"] } as const;

/** Accounts as fixtures of test suites. */
export const fixtureEndpoints = [
  declare({
    name: "dump",
    ...common,
    summary: "Whole accounts after the newest block, for `load`; those that do not exist are left out.",
    args: { addresses: arg("Addresses of the accounts.", listArg(addressArg()), { value: [sampleAccount.value] }) },
    result: dumped,
    run: async ({ net }, { addresses }, { signal }) => {
      await net.touch(
        addresses.map(({ address }) => address),
        signal,
      );
      const found = addresses.map(({ address }) => net.account(address).account);
      return found.filter((account) => account.load().kind === "account").map(({ cell }) => cell);
    },
  }),
  declare({
    name: "load",
    ...common,
    summary: "Writes the accounts of a dump in the next block, all or none of them.",
    description: "Each is written as by `setAccount`. The answer has one entry for each.",
    args: {
      accounts: arg("Each `Account` as a bag of cells in base64.", listArg(valueArg(Account, "an Account")), {
        value: [],
      }),
    },
    result: list(controlled),
    run: async ({ net, clock }, { accounts }, { signal }) => {
      const named = accounts.flatMap((account) => (account.kind === "account" ? [plainAddress(account.address)] : []));
      await net.touch(named, signal);
      return Promise.all(net.controls.load(accounts).map((posted) => awaitControl(posted, clock)));
    },
  }),
];
