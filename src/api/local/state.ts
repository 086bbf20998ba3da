import { optional } from "../../lib/kit/arg.ts";
import { oneOfArg } from "../../lib/kit/basicArgs.ts";
import { Account, type AccountState } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";
import { StateInit } from "../../model/StateInit.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { addressArg, hashArg, refuse } from "../v2/args.ts";
import { bagArg, coinsArg, valueArg } from "./args.ts";
import type { LocalServices } from "./LocalServices.ts";
import { awaitControl, controlled } from "./postedControl.ts";
import { sampleAccount, sampleBag } from "./samples.ts";

const declare = endpointsOver<LocalServices>();
const address = arg("Address of the account.", addressArg(), sampleAccount);
const about =
  "It happens in the next block, by a transaction that runs no code and has no fees: an external message whose compute phase is skipped. Coins that this creates or destroys are minted or burned in the value flow of the block.";

type Write = Parameters<LocalServices["net"]["controls"]["write"]>[1];

async function write({ net, clock }: LocalServices, { address: to }: { readonly address: Address }, wanted: Write) {
  await net.touch([to]);
  return awaitControl(net.controls.write(to, wanted), clock);
}

const common = { tag: "state", isExtra: true, methods: ["POST"], description: about } as const;

/** Controls that write the state of any account. */
export const stateEndpoints = [
  declare({
    name: "setBalance",
    ...common,
    summary: "Sets the balance of an account.",
    args: { address, balance: arg("New balance in coins.", coinsArg, { value: "5" }) },
    result: controlled,
    run: (services, args) => write(services, args.address, { kind: "balance", balance: args.balance }),
  }),
  declare({
    name: "setCode",
    ...common,
    summary: "Sets the code of an account, which is active afterwards.",
    args: { address, code: arg("New code, as a bag of cells in base64.", bagArg, sampleBag) },
    result: controlled,
    run: (services, args) => write(services, args.address, { kind: "code", code: args.code }),
  }),
  declare({
    name: "setData",
    ...common,
    summary: "Sets the data of an account, which is active afterwards.",
    args: { address, data: arg("New data, as a bag of cells in base64.", bagArg, sampleBag) },
    result: controlled,
    run: (services, args) => write(services, args.address, { kind: "data", data: args.data }),
  }),
  declare({
    name: "setState",
    ...common,
    summary: "Sets the state of an account: uninitialized, active with a state, or frozen.",
    args: {
      address,
      status: arg("New state of the account.", oneOfArg(["uninit", "active", "frozen"]), { value: "uninit" }),
      state_init: arg(
        "State of an active account, a `StateInit` as a bag of cells in base64.",
        optional(valueArg(StateInit, "a StateInit")),
      ),
      frozen_hash: arg("Hash of the state of a frozen account.", optional(hashArg())),
    },
    result: controlled,
    run: (services, args) => write(services, args.address, { kind: "state", state: stateOf(args) }),
  }),
  declare({
    name: "setAccount",
    ...common,
    summary: "Replaces an account with a whole one.",
    description: `The bag of cells is an \`Account\` with the same address, or \`account_none\` to remove it; logical times and storage statistics of it are not used. ${about}`,
    args: {
      address,
      account: arg("The `Account` as a bag of cells in base64.", valueArg(Account, "an Account"), {
        // account_none$0
        value: "te6ccgEBAQEAAwAAAUA=",
      }),
    },
    result: controlled,
    run: (services, args) => write(services, args.address, { kind: "account", account: args.account }),
  }),
];

interface StateArgs {
  readonly status: "uninit" | "active" | "frozen";
  readonly state_init: StateInit | undefined;
  readonly frozen_hash: Extract<AccountState, { readonly kind: "frozen" }>["stateHash"] | undefined;
}

function stateOf({ status, state_init: init, frozen_hash: stateHash }: StateArgs): AccountState {
  if (status === "uninit") return { kind: "uninit" };
  if (status === "active") {
    if (init === undefined) throw refuse("an active account needs state_init");
    return { kind: "active", init };
  }
  if (stateHash === undefined) throw refuse("a frozen account needs frozen_hash");
  return { kind: "frozen", stateHash };
}
