import { Type } from "typebox";
import type { Cell } from "../../../cell/Cell.ts";
import type { Chain } from "../../../chain/Chain.ts";
import type { LiveChains } from "../../../chain/LiveChains.ts";
import { replaySteps } from "../../../chain/replay/replaySteps.ts";
import { type AccountTransaction, listTransactions } from "../../../chain/transactions.ts";
import { findDecodedBody } from "../../../contracts/decode.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { withDefault } from "../../../lib/kit/arg.ts";
import { decimal, field, int, list, nullable, shape, text } from "../../../lib/kit/shape.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { arg } from "../../declare/argument.ts";
import { runnerName } from "../../declare/Caller.ts";
import { endpointsOver } from "../../declare/endpoint.ts";
import type { RequestContext } from "../../declare/RequestContext.ts";
import { addressArg, hashArg, intArg, longArg } from "../../v2/args.ts";
import { boc } from "../../v2/shapes/ids.ts";
import { replayedTransaction } from "../../v2/shapes/replay.ts";
import { hash64, rawLower } from "../../v2/shapes/scalars.ts";

/** What its endpoints need of a network. */
interface InspectionServices {
  readonly chains: Pick<LiveChains, "open">;
}

/** A message that a contract sent to nobody on the chain. */
interface LogMessage {
  readonly account: Address;
  readonly lt: bigint;
  readonly transactionHash: Hash;
  readonly sentAt: number;
  /** Its log address in hex; `undefined` without one. */
  readonly destination: string | undefined;
  readonly body: Cell;
  readonly decoded: JsonObject | undefined;
}

const decodedBody = field({
  schema: Type.Record(Type.String(), Type.Unknown()),
  encode: (value: JsonObject) => value,
});

const logMessage = shape<LogMessage>()({
  account: rawLower("Address of the contract, in raw form.", (log) => log.account),
  lt: decimal("Logical time of the transaction that sent it.", (log) => log.lt),
  transaction_hash: hash64("Hash of that transaction, in base64.", (log) => log.transactionHash),
  created_at: int("When it was sent, in Unix seconds.", (log) => log.sentAt),
  destination: nullable(text)("The log address in hex; null without one.", (log) => log.destination),
  body: boc("Body of the message, as a bag of cells in base64.", (log) => log.body),
  decoded: nullable(decodedBody)("Body as fields; null if its kind is not known.", (log) => log.decoded),
});

const account = arg("Address of the contract.", addressArg(), "account");
const declare = endpointsOver<InspectionServices>();

/** What happened in transactions. */
export const inspectionEndpoints = [
  declare({
    name: "logs",
    tag: "localnet",
    summary: "The messages that a contract has sent to log addresses, newest first.",
    description: "Bodies are decoded by the interfaces that are known. A fork has those of its origin, too.",
    isExtra: true,
    methods: ["GET", "POST"],
    args: {
      address: account,
      limit: arg("How many of its newest transactions are read.", withDefault(intArg({ min: 1, max: 256 }), 64)),
    },
    result: list(logMessage),
    run: async (services, { address: { address }, limit }, context) => {
      const query = { from: undefined, limit, toLt: 0n };
      const { items } = await listTransactions(openChain(services, context), address, query);
      return items.flatMap(logsOf);
    },
  }),
  declare({
    name: "trace",
    tag: "localnet",
    summary: "The steps of a transaction: its code is run again on the state before it.",
    description:
      "`steps` is the part of the run from step `from` on, at most `limit` steps. `is_equal` says whether the run makes the transaction of the chain.",
    isExtra: true,
    methods: ["GET", "POST"],
    statuses: [404],
    args: {
      address: account,
      lt: arg("Logical time of the transaction.", longArg({ min: 0 }), "lt"),
      hash: arg("Hash of the transaction.", hashArg(), "hash"),
      from: arg("Number of the first step, from zero.", withDefault(intArg({ min: 0, max: 100_000_000 }), 0)),
      limit: arg("Largest number of steps in the answer.", withDefault(intArg({ min: 1, max: 1000 }), 100)),
    },
    result: replayedTransaction,
    run: (services, { address: { address }, lt, hash, from, limit }, context) =>
      replaySteps(openChain(services, context), address, { lt, hash }, { from, limit }),
  }),
];

function openChain({ chains }: InspectionServices, { signal, caller }: RequestContext): Chain {
  return chains.open({ access: "private", signal, caller: runnerName(caller) });
}

function logsOf({ address, transaction }: AccountTransaction): readonly LogMessage[] {
  return [...transaction.messages.out.values()].reverse().flatMap(({ info, body }): LogMessage[] => {
    if (info.kind !== "externalOut") return [];
    const { lt, cell } = transaction;
    const decoded = findDecodedBody(body);
    const destination = info.dest?.value;
    return [{ account: address, lt, transactionHash: cell.hash(), sentAt: info.createdAt, destination, body, decoded }];
  });
}
