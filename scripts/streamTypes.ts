import { fieldsOf } from "./schemaType.ts";

/** Name, type and meaning of a field. */
type EventField = readonly [name: string, type: string, about: string];

interface WatchEventType {
  readonly about: string;
  /** What the fields are added to, where it is not the base of all events. */
  readonly base?: "";
  readonly fields: readonly EventField[];
}

/** A list that can be read page by page. */
export interface PagedList {
  readonly name: string;
  readonly args: string;
  readonly answer: string;
}

/**
 * The declarations of what the client of v3 has besides its methods. `request` is the declaration of a stream's
 * request.
 */
export const streamTypes = (paged: readonly PagedList[], request: string) => `
/** A jetton wallet in an event. */
export type JettonState = ${eventType(jettonFields)};

/** Lists that can be read page by page, with their arguments and items. */
export interface Pages {
${paged.map(({ name, args, answer }) => `  ${JSON.stringify(name)}: { args: ${args}; answer: ${answer} };`).join("\n")}
}

export type ItemOf<Answer> = { [Key in keyof Answer]: Answer[Key] extends readonly (infer Item)[] ? Item : never }[keyof Answer];

/** How certain an event is: predicted, in a shard block, or in a block that the masterchain refers to. */
export type Finality = "pending" | "confirmed" | "finalized";

${request}
export interface WatchBase {
  /** Only in finalized events: pass it as \`after\` to resume after this one. */
  readonly cursor?: string;
  /** Friendly forms and domains of the addresses in the event, by raw address; only on request. */
  readonly address_book?: { readonly [address: string]: AddressBookRow };
  /** Names, images and other facts of the tokens in the event, by raw address; only on request. */
  readonly metadata?: { readonly [address: string]: AddressMetadata };
}

${Object.entries(watchEvents)
  .map(
    ([name, { about, base = "WatchBase & ", fields }]) =>
      `/** ${about} */\nexport type ${name} = ${base}${eventType(fields)};`,
  )
  .join("\n\n")}

/** An event; \`type\` tells which fields it has. */
export type WatchEvent =
${Object.keys(watchEvents)
  .map((name) => `  | ${name}`)
  .join("\n")};

export interface WatchOptions extends CallOptions {
  /** Ends the iteration after this time. */
  readonly timeoutMs?: number;
}

export interface V3Extras {
  /** All items of a list; pages are fetched as they are read. */
  pages<Name extends keyof Pages>(name: Name, args?: Pages[Name]["args"], options?: CallOptions): AsyncGenerator<ItemOf<Pages[Name]["answer"]>>;
  /** Live events. After a lost connection it resumes after the last finalized event, without gaps or repeats. */
  watch(request: WatchRequest, options?: WatchOptions): AsyncGenerator<WatchEvent>;
  /**
   * Sends an external message (base64) and waits for its whole trace, for a minute by default. Throws ApiError when the
   * server or the account refuses the message, when it expires, and when the trace does not come in time.
   */
  sendAndWait(boc: string, options?: WatchOptions): Promise<TraceEvent>;
}
`;

const finality: EventField = ["finality", "Finality", "How certain the event is."];
const external: EventField = [
  "trace_external_hash_norm",
  "string",
  "The normalized hash of the message that began the trace.",
];
const kind = (type: string): EventField => ["type", JSON.stringify(type), "The kind of event."];

/** The events of a stream: names of fields, their types and what they mean. */
const watchEvents: Readonly<Record<string, WatchEventType>> = {
  TransactionsEvent: {
    about: "Transactions of the subscribed accounts, newest first.",
    fields: [
      ...[kind("transactions"), finality, external],
      ["transactions", "readonly Transaction[]", "The transactions, newest first."],
      ["partial?", "true", "Whether the trace goes on; only with `partial` in the request."],
    ],
  },
  ActionsEvent: {
    about: "Actions in which a subscribed account takes part.",
    fields: [...[kind("actions"), finality, external], ["actions", "readonly Action[]", "The actions, newest first."]],
  },
  TraceEvent: {
    about: "A whole trace.",
    fields: [
      ...[kind("trace"), finality, external],
      ["trace", "TraceNode", "The transactions as a tree."],
      ["transactions", "{ readonly [hash: string]: Transaction }", "The transactions, by hash."],
      ["actions", "readonly Action[]", "The actions, newest first."],
    ],
  },
  AccountStateEvent: {
    about: "A new state of a subscribed account.",
    fields: [
      ...[kind("account_state_change"), finality],
      ["account", "string", "The account."],
      ["state", "AccountState", "Its state after the block."],
    ],
  },
  JettonsEvent: {
    about: "A new balance of a jetton wallet.",
    fields: [...[kind("jettons_change"), finality], ["jetton", "JettonState", "The wallet after the block."]],
  },
  BlocksEvent: {
    about: "A masterchain block.",
    fields: [
      ...[kind("blocks"), finality],
      ["mc_block", "Block", "The block."],
      ["transactions", "number", "How many transactions it commits."],
    ],
  },
  MessagesEvent: {
    about: "What happens to a message that was sent through this server.",
    base: "",
    fields: [
      ...[kind("messages"), finality, external],
      [
        "status",
        '"received" | "accepted" | "pending" | "finalized" | "expired" | "refused"',
        "How far the message has come.",
      ],
      ["exit_code?", "number", "The exit code with which the account refused it."],
      ["cursor?", "string", "Only in finalized events: pass it as `after` to resume after this one."],
    ],
  },
  TraceInvalidatedEvent: {
    about: "Takes back all events of a trace that were not final.",
    base: "",
    fields: [kind("trace_invalidated"), external],
  },
  ReplayFinishedEvent: {
    about: "Says that the events before the subscription are sent.",
    base: "",
    fields: [
      kind("replay_finished"),
      ["cursor", "string", "Pass it as `after` to resume here."],
      ["remaining_blocks?", "number", "How many blocks are left when the replay is too long for one connection."],
    ],
  },
};

const eventType = (fields: readonly EventField[]) =>
  fieldsOf(
    fields.map(([name, type, about]) => ({ name, type, about })),
    "",
  );

/** A jetton wallet in an event. */
const jettonFields: readonly EventField[] = [
  ["address", "string", "The jetton wallet."],
  ["balance", "string", "The balance, in the smallest units of the jetton."],
  ["owner", "string", "The owner."],
  ["jetton", "string", "The jetton, by its master."],
  ["last_transaction_lt", "string", "The logical time of the wallet's last transaction."],
  ["code_hash", "string | null", "The hash of the code cell."],
  ["data_hash", "string | null", "The hash of the data cell."],
];
