import { describe, expect, it } from "vitest";
import { renderBlock, renderConfirmed, renderPending } from "../../../src/api/stream/renderEvents.ts";
import type { StreamAction, StreamBlock, StreamTrace } from "../../../src/api/stream/StreamBlock.ts";
import { readSubscription, type Subscription, sseWording, wsWording } from "../../../src/api/stream/Subscription.ts";
import { formatAddress, formatRawAddress } from "../../../src/model/Address.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { accountAt, hashAt } from "../../kit/api/stream/fakeIndex.ts";

const context = {
  ...{ wording: sseWording, maxAddresses: 10, mayAskForAll: false },
  ...{ headers: {}, before: undefined },
};
const raw = `0:${"AB".repeat(32)}`;

function read(properties: Readonly<Record<string, unknown>>, more = {}): Subscription {
  return readSubscription(properties, { ...context, ...more }).subscription;
}

describe("a subscription", () => {
  it("takes addresses in every form, each once", () => {
    const { addresses } = read({ types: ["actions"], addresses: [raw] });
    const [address] = addresses;
    if (address === undefined) throw new Error("the address was not read");
    const forms = [true, false].flatMap((bounceable) =>
      (["base64", "base64url"] as const).map((alphabet) =>
        formatAddress(address, { bounceable, testOnly: false }, alphabet),
      ),
    );
    expect(read({ types: ["actions"], addresses: [raw, raw.toLowerCase(), ...forms] }).addresses).toEqual(addresses);
  });

  it("takes hashes of messages in hex and in both kinds of base64, with white space around, each once", () => {
    const hash = hashAt(0xfffe);
    const base64 = hashToBase64(hash);
    const url = base64.replaceAll("+", "-").replaceAll("/", "_");
    const texts = [hash, hash.toUpperCase(), base64, url, url.replace("=", ""), ` ${base64}\n`];
    expect(read({ types: ["trace"], trace_external_hash_norms: texts }).traces).toEqual(new Set([hash]));
  });

  it("accepts trace_invalidated without a meaning, ignores unknown fields, and takes null for absent", () => {
    const plain = read({ types: ["transactions"], addresses: [raw] });
    const given = {
      types: ["transactions", "trace_invalidated"],
      addresses: [raw],
      nothing: 1,
      proof: 0,
      min_finality: null,
    };
    expect(read(given)).toEqual(plain);
    expect(read({ types: ["trace_invalidated"] })).toMatchObject({ types: new Set(), addresses: new Set() });
  });

  it("replaces the filters of a subscription and keeps the form of its events", () => {
    const first = read({
      ...{ types: ["transactions"], addresses: [raw], msg_body_hash: hashAt(1), min_finality: "pending" },
      ...{ include_address_book: true, include_metadata: true, action_types: ["ton_transfer"] },
      supported_action_types: ["v1"],
    });
    const second = read({ types: ["trace"], trace_external_hash_norms: [hashAt(2)] }, { before: first });
    expect(second).toEqual({
      ...first,
      ...{ types: new Set(["trace"]), addresses: new Set(), traces: new Set([hashAt(2)]), bodyHash: undefined },
    });
    const third = { types: ["blocks"], min_finality: "finalized", action_types: [], supported_action_types: [] };
    expect(read({ ...third, include_metadata: false }, { before: second })).toEqual({
      ...second,
      ...{ types: new Set(["blocks"]), traces: new Set(), minFinality: "finalized", withMetadata: false },
    });
  });

  it("knows the client's action types by the request, then by the header, then the latest", () => {
    const given = { types: ["actions"], addresses: [raw] };
    const supported = (more: object, header?: string) =>
      read({ ...given, ...more }, { headers: { "x-actions-version": header } }).supported;
    expect(supported({})).toEqual(supported({ supported_action_types: ["latest"] }));
    expect(supported({}, "v1")).toEqual(supported({ supported_action_types: ["v1"] }));
    expect(supported({ supported_action_types: ["v1"] }, "latest")).toEqual(supported({}, "v1"));
    expect(supported({}, "v1")).not.toEqual(supported({}));
    // The first set is always part of it.
    expect(supported({}, "nothing_of_ours")).toEqual(new Set([...supported({}, "v1"), "nothing_of_ours"]));
  });

  it.each([
    [{ types: ["nothing"], addresses: [raw] }, "invalid event type: nothing"],
    [{ types: ["actions"], addresses: [raw], min_finality: "soon" }, "unknown finality state: soon"],
    [{ types: ["actions"], addresses: [raw], trace_external_hash_norms: [hashAt(1)] }, 'requires type "trace"'],
    [{ types: ["trace"] }, "trace_external_hash_norms are required for trace subscription"],
    [{ types: ["trace"], trace_external_hash_norms: ["?"] }, "trace_external_hash_norms contains empty value"],
    [{ types: ["actions"], addresses: raw }, "addresses must be a list of strings"],
    [{ types: ["actions"], addresses: [raw], include_metadata: 1 }, "include_metadata must be true or false"],
    [{ types: ["actions"], addresses: [raw], msg_body_hash: hashAt(1) }, 'requires addresses and type "transactions"'],
    [{ types: ["transactions"], addresses: [raw], msg_body_hash: "?" }, "invalid msg_body_hash"],
    [{ types: ["blocks"], from_mc_seqno: -1 }, "from_mc_seqno must be a whole number"],
    [{ types: ["blocks"], proof: 1 }, "events have no proof: ask v3 for the transactions"],
  ])("is refused on both transports: %j", (given, text) => {
    expect(() => read(given)).toThrow(text);
    expect(() => read(given, { wording: wsWording })).toThrow(text);
  });
});

const owner = accountAt(1);
const action = (type: string, ancestors: readonly string[] = []): StreamAction => ({
  ...{ type, ancestors, accounts: [owner], involved: [] },
  json: JSON.stringify({ type }),
});
const transaction = (n: number) => ({
  ...{ account: owner, hash: hashAt(n), mcSeqno: 2, bodyHash: hashAt(100 + n), involved: [], json: `{"n":${n}}` },
});
const trace: StreamTrace = {
  ...{ external: hashAt(9), key: hashAt(9), endLt: 5n, finality: "finalized", tree: "{}" },
  transactions: [transaction(2), transaction(1)],
  actions: [
    action("jetton_swap"),
    action("jetton_transfer", ["jetton_swap"]),
    action("ton_transfer"),
    action("of_tomorrow"),
  ],
};
const block: StreamBlock = {
  ...{ mcSeqno: 2, utime: 2, traces: [trace], open: [], jettons: [] },
  states: [{ account: owner, json: "{}" }],
  block: { json: "{}", transactions: 2 },
  ...{ accounts: new Set([owner]), jettonMasters: new Set(), codeHashes: new Set() },
};

/** The named parts of the events of the block, or of the trace as a prediction. */
function shown(properties: Readonly<Record<string, unknown>>, part: "block" | "prediction" = "block"): unknown {
  const subscription = read({ addresses: [owner], trace_external_hash_norms: [], ...properties });
  const events =
    part === "block"
      ? renderBlock(block, subscription)
      : renderPending({ ...trace, finality: "pending" }, subscription);
  return events
    .map(({ text }) => JSON.parse(`${text}}`) as unknown)
    .map((event) => {
      const { type, finality, actions, transactions } = Object(event);
      const list = (actions as readonly object[] | undefined)?.map((each) => Object(each).type);
      return [type, finality, list ?? transactions];
    });
}

describe("the events of a subscription", () => {
  it("have actions that the client can read, without the parts of those that it can", () => {
    const types = ["actions"];
    expect(shown({ types })).toEqual([["actions", "finalized", ["jetton_swap", "ton_transfer"]]]);
    expect(shown({ types, supported_action_types: ["v1", "of_tomorrow"] })).toEqual([
      ["actions", "finalized", ["jetton_swap", "ton_transfer", "of_tomorrow"]],
    ]);
  });

  it("have only actions of the named types, and none of a name that is a shortcut", () => {
    const only = (action_types: readonly string[]) => shown({ types: ["actions"], action_types });
    expect(only(["ton_transfer"])).toEqual([["actions", "finalized", ["ton_transfer"]]]);
    expect(only(["jettons"])).toEqual([]);
    expect(
      shown({
        types: ["trace"],
        addresses: [],
        trace_external_hash_norms: [hashAt(9)],
        action_types: ["ton_transfer"],
      }),
    ).toEqual([["trace", "finalized", ["ton_transfer"]]]);
  });

  it("have only transactions whose incoming message has the named body, and everything else", () => {
    const types = ["transactions", "actions", "account_state_change"];
    expect(shown({ types, msg_body_hash: hashAt(101) })).toEqual([
      ["transactions", "finalized", [{ n: 1 }]],
      ["actions", "finalized", ["jetton_swap", "ton_transfer"]],
      ["account_state_change", "finalized", undefined],
    ]);
    expect(shown({ types: ["transactions"], msg_body_hash: hashAt(103) })).toEqual([]);
  });

  it("have final actions while only ends of the trace are predicted, except with a cursor", () => {
    const types = ["transactions", "actions", "trace"];
    const given = { types, trace_external_hash_norms: [hashAt(9)] };
    const open = { ...trace, finality: "pending", actionsFinality: "finalized" } as const;
    const levels = (more: Readonly<Record<string, unknown>>) =>
      renderPending(open, read({ addresses: [owner], ...given, ...more })).map(({ text, isFinal }) => {
        const { type, finality } = Object(JSON.parse(`${text}}`));
        return [type, finality, isFinal];
      });
    const final = [
      ["actions", "finalized", true],
      ["trace", "finalized", true],
    ];
    expect(levels({ min_finality: "pending" })).toEqual([["transactions", "pending", false], ...final]);
    expect(levels({ min_finality: "confirmed" })).toEqual(final);
    expect(levels({ min_finality: "finalized" })).toEqual([]);
    expect(levels({ min_finality: "pending", cursor: true })).toEqual(types.map((type) => [type, "pending", false]));
    expect(levels({ min_finality: "confirmed", cursor: true })).toEqual([]);
  });

  it("have confirmed traces from the level confirmed on, also with a cursor", () => {
    const types = ["transactions", "actions", "trace"];
    const levels = (min_finality: string, cursor: boolean) =>
      renderPending(
        { ...trace, finality: "confirmed" },
        read({ addresses: [owner], types, trace_external_hash_norms: [hashAt(9)], min_finality, cursor }),
      ).map(({ text, isFinal, place }) => {
        const { type, finality } = Object(JSON.parse(`${text}}`));
        return [type, finality, isFinal, place];
      });
    const all = types.map((type) => [type, "confirmed", false, undefined]);
    for (const cursor of [false, true]) {
      expect(levels("pending", cursor)).toEqual(all);
      expect(levels("confirmed", cursor)).toEqual(all);
      expect(levels("finalized", cursor)).toEqual([]);
    }
  });

  it("have confirmed changes of the named accounts and wallets, from the level confirmed on", () => {
    const wallet = { address: accountAt(2), owner, jetton: accountAt(3), codeHash: undefined, json: '{"balance":"1"}' };
    const states = [owner, accountAt(4)].map((account) => ({ account, json: "{}" }));
    const types = ["account_state_change", "jettons_change"];
    const levels = (min_finality: string) =>
      renderConfirmed({ states, jettons: [wallet] }, read({ addresses: [owner], types, min_finality }));
    const both = [
      {
        text: `{"type":"account_state_change","finality":"confirmed","account":"${formatRawAddress(owner)}","state":{}`,
        involved: [],
        place: undefined,
      },
      {
        text: '{"type":"jettons_change","finality":"confirmed","jetton":{"balance":"1"}',
        involved: [wallet.address, owner, wallet.jetton],
        place: undefined,
      },
    ];
    expect(levels("pending")).toEqual(both);
    expect(levels("confirmed")).toEqual(both);
    expect(levels("finalized")).toEqual([]);
  });

  it("have predictions only from the level pending on", () => {
    const types = ["transactions", "account_state_change"];
    for (const min_finality of ["pending", "confirmed", "finalized"]) {
      expect(shown({ types, min_finality })).toEqual([
        ["transactions", "finalized", [{ n: 2 }, { n: 1 }]],
        ["account_state_change", "finalized", undefined],
      ]);
      expect(shown({ types, min_finality }, "prediction")).toEqual(
        min_finality === "pending" ? [["transactions", "pending", [{ n: 2 }, { n: 1 }]]] : [],
      );
    }
  });
});
