import { Type } from "typebox";
import { readRoot } from "../../cell/boc.ts";
import { getAccount } from "../../chain/accounts.ts";
import type { Chain } from "../../chain/Chain.ts";
import { makeInternal, makeWalletMessage } from "../../chain/run/walletMessage.ts";
import type { OptionalArg } from "../../lib/kit/arg.ts";
import { field } from "../../lib/kit/shape.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { onChain } from "../v2/onChain.ts";
import { emulationAnswer } from "./answer.ts";
import {
  type BagArg,
  bocArg,
  emulationLimits,
  flag,
  fromArg,
  invalid,
  type MessageFields,
  maxLogBytes,
  maxMessages,
  maxOverrides,
  messageArg,
  offsetArg,
  ordersArg,
  overridesArg,
  seqnoArg,
  unixArg,
  untilArg,
} from "./args.ts";
import { type EmulationWish, runMessage } from "./runEmulation.ts";
import type { EmulateServices } from "./Services.ts";

const endpoint = endpointsOver<EmulateServices>();

const actionsVersion: OptionalArg<string | undefined> = {
  schema: Type.String(),
  required: false,
  allowed: "a name of action types, latest when not given",
  decode: (value) => (typeof value === "string" && value !== "" ? value : undefined),
};

const commonArgs = {
  with_actions: arg("Add the actions of the trace.", flag),
  include_code_data: arg("Accepted for older clients; code and data are always given.", flag),
  include_address_book: arg("Add friendly forms and domains of the addresses.", flag),
  include_metadata: arg("Add metadata of the tokens.", flag),
  mc_block_seqno: arg("Seqno of the masterchain block whose state is used; the newest one if left out.", seqnoArg),
  actions_version: arg(
    "Types of actions that the caller understands; also by the header X-Actions-Version.",
    actionsVersion,
  ),
  state_overrides: arg("States that replace those of the chain, by address.", overridesArg),
  now: arg("Time of the run in Unix seconds; that of the block if left out.", unixArg),
  time_offset: arg("Seconds to add to the time of the run.", offsetArg),
  vm_log: arg("Add the log of the virtual machine to every transaction.", flag),
  value_flow: arg("Add what each account gains and loses.", flag),
  deterministic: arg("Use a fixed random seed, so that equal requests have equal answers.", flag),
  on_pending: arg("Run after the messages that wait for a block.", flag),
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

function messageOf(boc: BagArg | undefined, fields: MessageFields | undefined) {
  if (boc !== undefined) return readRoot(boc.bytes);
  if (fields === undefined) throw invalid("boc is required");
  return makeInternal(fields, fields.from);
}

export const emulateTrace = endpoint({
  name: "emulateTrace",
  tag: "emulate",
  summary: "Emulates a message and all messages that it causes.",
  description: `${about} \`message\` may replace \`boc\`: an internal message by its fields.`,
  methods: ["POST"],
  statuses: [400, 504],
  args: {
    boc: arg("Message as a bag of cells in base64, external or internal.", bocArg),
    message: arg("Internal message by its fields, instead of `boc`.", messageArg, "transfer"),
    ignore_chksig: arg("Take every signature as valid.", flag),
    ...commonArgs,
  },
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
  readonly boc: BagArg | undefined;
  readonly message: MessageFields | undefined;
  readonly ignore_chksig: boolean;
}

/** The default lifetime of a wallet's message. */
const validForSeconds = 300;

export const emulateTonConnect = endpoint({
  name: "emulateTonConnect",
  tag: "emulate",
  summary:
    "Emulates messages of a wallet; the external message is built by the server, and signatures are not checked.",
  description: `${about} Wallets of versions 1 to 5 are known by their code; seqno and wallet id are those of the newest block.`,
  methods: ["POST"],
  statuses: [400, 504],
  args: {
    from: arg("Wallet that sends.", fromArg, "wallet"),
    messages: arg("Messages that the wallet sends.", ordersArg, "orders"),
    valid_until: arg(
      "Time until which the message is valid, in Unix seconds; five minutes from now if left out.",
      untilArg,
    ),
    ...commonArgs,
  },
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
  sent_messages: emulationLimits.maxMessages,
  messages: maxMessages,
  state_overrides: maxOverrides,
  vm_log_bytes: maxLogBytes,
};

export const limits = endpoint({
  name: "limits",
  tag: "emulate",
  summary: "The limits of one emulation.",
  isExtra: true,
  methods: ["GET"],
  args: {},
  result: field({ schema: Type.Record(Type.String(), Type.Integer()), encode: (given: typeof bounds) => given }),
  run: () => bounds,
});
