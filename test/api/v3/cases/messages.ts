import { b64, knownWallet, raw, sameDigits, type V3Stage } from "../../../kit/api/v3/v3Stage.ts";
import {
  config,
  elector,
  endsOf,
  external,
  internal,
  listMessages,
  listTransactions,
  messagesBy,
  receivers,
  sending,
  transactionsBy,
} from "./chainLists.ts";
import { gives, pageRefusals, refuses, sorted, sortRefusal, type V3Case, withHeaders } from "./V3Case.ts";

const ends = (stage: V3Stage) => transactionsBy([sending(stage), ...receivers(stage, internal(stage))], "desc");

/** Cases of requests about messages, their senders and receivers. */
export const messageCases = {
  transactionsByMessage: [
    listTransactions(
      "both ends of a message",
      (stage) => ({ msg_hash: b64(internal(stage).hash) }),
      (stage) => ends(stage).filter((each, at, all) => all.indexOf(each) === at),
    ),
    listTransactions(
      "who received it",
      (stage) => ({ msg_hash: internal(stage).hash, direction: "in" }),
      (stage) => receivers(stage, internal(stage)),
    ),
    listTransactions(
      "who sent it",
      (stage) => ({ msg_hash: internal(stage).hash, direction: "out" }),
      (stage) => stage.rows.transactions.filter(({ hash }) => hash === internal(stage).outTxHash),
    ),
    listTransactions(
      "a normalized hash",
      (stage) => ({ msg_hash: external(stage).hashNorm ?? "" }),
      (stage) => receivers(stage, external(stage)),
    ),
    listTransactions("an opcode, which is read as hex, at both ends", { opcode: "ffffffff", limit: 1000 }, (stage) =>
      transactionsBy(
        endsOf(stage, ({ opcode }) => opcode === -1),
        "desc",
      ),
    ),
    listTransactions("a received opcode", { opcode: "ffffffff", direction: "in", limit: 1000 }, ({ rows }) =>
      transactionsBy(rows.transactions, "desc").filter(({ inOpcode }) => inOpcode === -1),
    ),
    listTransactions("a sent opcode", { opcode: "ffffffff", direction: "out", limit: 1000 }, (stage) =>
      transactionsBy(
        endsOf(stage, ({ opcode }) => opcode === -1, "out"),
        "desc",
      ),
    ),
    listTransactions(
      "an opcode and a sender",
      { opcode: "0xffffffff", source: config, direction: "in", sort: "asc", limit: 1000 },
      (stage) =>
        transactionsBy(
          endsOf(stage, ({ opcode, source }) => opcode === -1 && source === config, "in"),
          "asc",
        ),
    ),
    listTransactions(
      "a body, received only, with a receiver",
      (stage) => ({ body_hash: internal(stage).bodyHash, destination: raw(knownWallet), direction: "in" }),
      (stage) => {
        const { bodyHash } = internal(stage);
        const found = stage.rows.messages
          .filter((each) => each.bodyHash === bodyHash && each.destination === knownWallet)
          .map(({ hash }) => hash);
        return transactionsBy(stage.rows.transactions, "desc").filter(
          ({ inMsgHash }) => inMsgHash !== undefined && found.includes(inMsgHash),
        );
      },
    ),
    listTransactions("nothing for an unknown message", { msg_hash: sameDigits("9") }, () => []),
    refuses(
      "a direction alone",
      { direction: "in" },
      422,
      "at least one of msg_hash, body_hash, opcode should be specified",
    ),
    refuses("a direction that is none", { direction: "up" }, 422, "direction should be one of: in, out"),
    refuses("an opcode beyond 32 bits", { opcode: "0x100000000" }, 422, 'schema: error converting value for "opcode"'),
    ...pageRefusals({ opcode: "0" }),
    sortRefusal({ opcode: "0" }),
  ],
  messages: [
    listMessages("the newest, those without a time first", { limit: 20 }, ({ rows }) =>
      messagesBy(rows.messages, "desc").slice(0, 20),
    ),
    listMessages("the oldest, those without a time last", { limit: 1000, sort: "asc" }, ({ rows }) =>
      messagesBy(rows.messages, "asc"),
    ),
    listMessages("external ones", { source: "null" }, ({ rows }) =>
      messagesBy(rows.messages, "desc").filter(({ source }) => source === undefined),
    ),
    listMessages("outgoing external ones", { destination: "null" }, ({ rows }) =>
      messagesBy(rows.messages, "desc").filter(({ destination }) => destination === undefined),
    ),
    listMessages(
      "a sender and a receiver",
      { source: `-1:${"0".repeat(64)}`, destination: elector, limit: 99 },
      ({ rows }) =>
        messagesBy(rows.messages, "desc").filter(
          ({ source, destination }) => source === `-1:${"0".repeat(64)}` && destination === elector,
        ),
    ),
    listMessages("only external ones", { only_externals: "on" }, ({ rows }) =>
      messagesBy(rows.messages, "desc").filter(({ createdLt }) => createdLt === undefined),
    ),
    listMessages("no external ones", { exclude_externals: "T", limit: 1000 }, ({ rows }) =>
      messagesBy(rows.messages, "desc").filter(({ createdLt }) => createdLt !== undefined),
    ),
    listMessages("sent ones", { direction: "out", limit: 1000 }, ({ rows }) =>
      messagesBy(rows.messages, "desc").filter(({ outTxHash }) => outTxHash !== undefined),
    ),
    listMessages("received ones", { direction: "in", limit: 1000 }, (stage) =>
      messagesBy(stage.rows.messages, "desc").filter((each) => receivers(stage, each).length > 0),
    ),
    listMessages("an opcode in decimal", { opcode: "-1", limit: 1000 }, ({ rows }) =>
      messagesBy(rows.messages, "desc").filter(({ opcode }) => opcode === -1),
    ),
    listMessages(
      "times, with both ends",
      (stage) => ({ start_utime: internal(stage).createdAt ?? 0, end_utime: internal(stage).createdAt ?? 0 }),
      (stage) => {
        const at = internal(stage).createdAt;
        return sorted(
          stage.rows.messages.filter(({ createdAt }) => createdAt === at),
          [({ hash }) => hash, "desc"],
        );
      },
    ),
    listMessages(
      "logical times, with both ends",
      (stage) => ({ start_lt: internal(stage).createdLt ?? 0n, end_lt: (internal(stage).createdLt ?? 0n) + 4n }),
      (stage) => {
        const from = internal(stage).createdLt ?? 0n;
        return messagesBy(stage.rows.messages, "desc").filter(
          ({ createdLt }) => createdLt !== undefined && createdLt >= from && createdLt <= from + 4n,
        );
      },
    ),
    gives(
      "what is asked in words instead of headers",
      {
        ...{ msg_hash: sameDigits("9"), x_no_address_book: "t", x_no_metadata: 1, x_timeout: 2000 },
        ...{ x_debug_request: "TRUE", x_seen_seqno: 3 },
      },
      { messages: [], address_book: {}, metadata: {} },
    ),
    listMessages(
      "a normalized hash by the older name",
      (stage) => ({ hash: external(stage).hashNorm ?? "" }),
      (stage) => [external(stage)],
    ),
    listMessages(
      "a body",
      (stage) => ({ body_hash: external(stage).bodyHash }),
      (stage) => [external(stage)],
    ),
    withHeaders(
      { "X-No-Address-Book": "1", "X-No-Metadata": "true" },
      gives(
        "nothing around the list when that is not wanted",
        { msg_hash: sameDigits("9") },
        { messages: [], address_book: {}, metadata: {} },
      ),
    ),
    refuses("a direction that is none", { direction: "IN" }, 422, "direction should be one of: in, out"),
    refuses(
      "a flag that is none",
      { only_externals: "yes" },
      422,
      'schema: error converting value for "only_externals"',
    ),
    refuses("an address that is none", { source: "nil" }, 422, 'schema: error converting value for "source"'),
    ...pageRefusals(),
    sortRefusal(),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;
