import { Type } from "typebox";
import { readRoot } from "../../cell/boc.ts";
import { getAccount } from "../../chain/accounts.ts";
import type { Chain } from "../../chain/Chain.ts";
import { makeInternal, makeWalletMessage } from "../../chain/run/walletMessage.ts";
import type { Arg } from "../../lib/kit/arg.ts";
import { field } from "../../lib/kit/shape.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { onChain } from "../v2/onChain.ts";
import { emulationAnswer } from "./answer.ts";
import {
  bocArg,
  flag,
  fromArg,
  type GivenBag,
  invalid,
  type MessageFields,
  messageArg,
  offsetArg,
  ordersArg,
  overridesArg,
  seqnoArg,
  unixArg,
  untilArg,
} from "./args.ts";
import { emulationLimits, mostLogBytes, mostMessages, mostOverrides } from "./limits.ts";
import { type EmulationWish, runMessage } from "./runEmulation.ts";
import type { EmulateServices } from "./Services.ts";

const endpoint = endpointsOver<EmulateServices>();

const actionsVersion: Arg<string | undefined> = {
  schema: Type.String({ description: "Also by the header X-Actions-Version." }),
  required: false,
  allowed: "a name of action types, latest when not given",
  decode: (value) => (typeof value === "string" && value !== "" ? value : undefined),
};

const commonArgs = {
  with_actions: flag,
  include_code_data: flag,
  include_address_book: flag,
  include_metadata: flag,
  mc_block_seqno: seqnoArg,
  actions_version: actionsVersion,
  state_overrides: overridesArg,
  now: unixArg,
  time_offset: offsetArg,
  vm_log: flag,
  value_flow: flag,
  deterministic: flag,
  on_pending: flag,
};

type CommonArgs = { readonly [Name in keyof typeof commonArgs]: ReturnType<(typeof commonArgs)[Name]["decode"]> };

function wishOf(args: CommonArgs, signatures: EmulationWish["signatures"]): EmulationWish {
  return {
    seqno: args.mc_block_seqno,
    signatures,
    withActions: args.with_actions,
    withBook: args.include_address_book,
    withMetadata: args.include_metadata,
    withLog: args.vm_log,
    withFlow: args.value_flow,
    isDeterministic: args.deterministic,
    onPending: args.on_pending,
    now: args.now,
    timeOffset: args.time_offset,
    overrides: args.state_overrides,
    actionTypes: args.actions_version,
  };
}

/**
 * Makes the `run` of an emulation endpoint; rejects requests that need an index before anything runs, if there is none.
 */
function emulating<A extends CommonArgs, R>(answer: (chain: Chain, args: A, services: EmulateServices) => Promise<R>) {
  return (services: EmulateServices, args: A, context: RequestContext): Promise<R> => {
    const { index, live } = services;
    if (index === undefined && (args.include_address_book || args.include_metadata))
      throw invalid("address book and metadata are not available");
    if (index === undefined && args.with_actions) throw invalid("actions are not available without an index");
    return onChain<A, R>((chain, given) => answer(chain, given, services))(live, args, context);
  };
}

const about =
  "The answer has the trace, its transactions, and code and data cells of the accounts it touches; optional parts are absent unless requested. `state_overrides` replaces the state of accounts; `now` and `time_offset` change the time.";

function messageOf(boc: GivenBag | undefined, fields: MessageFields | undefined) {
  if (boc !== undefined) return readRoot(boc.bytes);
  if (fields === undefined) throw invalid("boc is required");
  return makeInternal(fields, fields.from);
}

export const emulateTrace = endpoint({
  name: "emulateTrace",
  tag: "emulate",
  summary: "What a message would do, with everything it causes.",
  description: `${about} \`message\` may replace \`boc\`: an internal message by its fields.`,
  methods: ["POST"],
  statuses: [400, 504],
  args: { boc: bocArg, message: messageArg, ignore_chksig: flag, ...commonArgs },
  result: emulationAnswer,
  run: emulating((chain, args: CommonArgs & TraceArgs, services) =>
    runMessage(
      chain,
      messageOf(args.boc, args.message),
      wishOf(args, args.ignore_chksig ? "ignore" : "check"),
      services,
    ),
  ),
});

interface TraceArgs {
  readonly boc: GivenBag | undefined;
  readonly message: MessageFields | undefined;
  readonly ignore_chksig: boolean;
}

/** The default lifetime of a wallet's message. */
const validForSeconds = 300;

export const emulateTonConnect = endpoint({
  name: "emulateTonConnect",
  tag: "emulate",
  summary: "What a wallet's messages would do; the message from outside is made here, and signatures are not checked.",
  description: `${about} Wallets of versions 1 to 5 are known by their code; seqno and wallet id are those of the newest block.`,
  methods: ["POST"],
  statuses: [400, 504],
  args: { from: fromArg, messages: ordersArg, valid_until: untilArg, ...commonArgs },
  result: emulationAnswer,
  run: emulating(async (chain, args: CommonArgs & ConnectArgs, services) => {
    const wallet = await getAccount(chain, args.from);
    const until = args.valid_until ?? chain.nowAt() + validForSeconds;
    return runMessage(chain, makeWalletMessage(wallet, args.messages, until), wishOf(args, "ignore"), services);
  }),
});

interface ConnectArgs {
  readonly from: ReturnType<typeof fromArg.decode>;
  readonly messages: ReturnType<typeof ordersArg.decode>;
  readonly valid_until: number | undefined;
}

const bounds = {
  transactions: emulationLimits.maxTransactions,
  depth: emulationLimits.maxDepth,
  messages: mostMessages,
  state_overrides: mostOverrides,
  vm_log_bytes: mostLogBytes,
};

export const limits = endpoint({
  name: "limits",
  tag: "emulate",
  summary: "How much one run may do.",
  isExtra: true,
  methods: ["GET"],
  args: {},
  result: field({ schema: Type.Record(Type.String(), Type.Integer()), encode: (given: typeof bounds) => given }),
  run: () => bounds,
});
