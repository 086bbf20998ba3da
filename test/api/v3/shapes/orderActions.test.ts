import {
  type Builder,
  beginCell,
  type Cell,
  Address as CoreAddress,
  Dictionary,
  external,
  internal,
  type MessageRelaxed,
  storeMessageRelaxed,
} from "@ton/core";
import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { orderAction } from "../../../../src/api/v3/shapes/orderActions.ts";
import { readRoot } from "../../../../src/cell/boc.ts";
import { addressesOf } from "../../../../src/contracts/families/multisig/OrderBody.ts";
import { readOrderActions } from "../../../../src/contracts/families/multisig/orderActions.ts";

const at = (digit: string, workchain = 0) => CoreAddress.parse(`${workchain}:${digit.repeat(64)}`);
const raw = (address: CoreAddress) => address.toRawString().toUpperCase();
const [target, one, two, three] = [at("a"), at("1"), at("2", -1), at("3")] as const;
const boc = (cell: Cell) => cell.toBoc({ idx: false, crc32: true }).toString("base64");
const queryId = 2n ** 64n - 1n;

const begin = (opcode: number) => beginCell().storeUint(opcode, 32);
const asked = (opcode: number) => begin(opcode).storeUint(queryId, 64);
const comment = (text: string) => begin(0).storeStringTail(text).endCell();
const emptyCell = beginCell().endCell();

function orderOf(...actions: readonly Cell[]): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell());
  for (const [key, action] of actions.entries()) dictionary.set(key, action);
  return beginCell().storeDictDirect(dictionary).endCell();
}

function sending(message: MessageRelaxed, mode = 3): Cell {
  const cell = beginCell().store(storeMessageRelaxed(message)).endCell();
  return begin(0xf1381e5b).storeUint(mode, 8).storeRef(cell).endCell();
}

const paying = (body: Cell | undefined, value = 5n) =>
  sending(internal({ to: target, value, bounce: true, ...(body && { body }) }));

function members(...addresses: readonly CoreAddress[]): Dictionary<number, CoreAddress> {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address());
  for (const [key, address] of addresses.entries()) dictionary.set(key, address);
  return dictionary;
}

const read = (...actions: readonly Cell[]) => readOrderActions(readRoot(orderOf(...actions).toBoc()));
const shown = (...actions: readonly Cell[]) =>
  read(...actions).map((action) => {
    const encoded = orderAction.encode(action);
    // 64-bit numbers are bare numbers in JSON, which the schema accepts as integers.
    const written = JSON.parse(
      JSON.stringify(encoded, (_key, value) => (typeof value === "bigint" ? Number(value) : value)),
    );
    expect(Value.Errors(orderAction.schema, written)).toEqual([]);
    return encoded;
  });

const sent = (body: Cell, type: string, parsedBody: object) => ({
  destination: raw(target),
  value: "5",
  body_raw: boc(body),
  parsed: true,
  error: null,
  parsed_body: parsedBody,
  parsed_body_type: type,
  send_mode: 3,
});

function jettonTransfer(withPayload: (builder: Builder) => Builder, custom: Cell | null = null): Cell {
  const head = asked(0x0f8a7ea5)
    .storeCoins(7n)
    .storeAddress(one)
    .storeAddress(two)
    .storeMaybeRef(custom)
    .storeCoins(9n);
  return withPayload(head).endCell();
}

const transferShown = {
  query_id: queryId,
  amount: "7",
  destination: raw(one),
  response: raw(two),
  custom_payload: null,
  forward_amount: "9",
  comment: null,
  encrypted_comment: false,
  forward_payload: null,
  payload_sum_type: "",
  stonfi_swap_body: null,
};

const encrypted = begin(0x2167da4b)
  .storeBuffer(Buffer.from([1, 2, 3]))
  .endCell();
const swap = begin(0x25938561).storeAddress(three).storeCoins(11n).storeAddress(one).storeBit(false).endCell();
const strange = begin(0x12345678).storeUint(1, 3).endCell();
const note = (cell: Cell) => (builder: Builder) => builder.storeBit(true).storeRef(cell);
const inner = beginCell()
  .store(storeMessageRelaxed(internal({ to: one, value: 8n, body: comment("vested") })))
  .endCell();
const minted = (opcode: number) =>
  asked(opcode)
    .storeAddress(one)
    .storeCoins(3n)
    .storeRef(begin(0x178d4519).storeUint(6, 64).storeCoins(1000n).endCell())
    .endCell();
const mintShown = (opcode: number) => ({
  opcode,
  query_id: queryId,
  to_address: raw(one),
  ton_amount: "3",
  master_msg_query_id: 6n,
  master_msg_jetton_amount: "1000",
});
const callTo = (action: Cell) => asked(0x235caf52).storeAddress(one).storeCoins(3n).storeRef(action).endCell();
const callShown = (action: Cell, type: string) => ({
  query_id: queryId,
  to_address: raw(one),
  ton_amount: "3",
  action_type: type,
  action_data: boc(action),
});
const status = asked(0xeed236d3).storeUint(3, 4).endCell();
const burn = asked(0x595f07bc).storeCoins(4n).storeAddress(null).storeBit(false).endCell();
const shortText = beginCell().storeUint(5, 8).endCell();

/** Bodies with their expected details. */
const vectors: readonly (readonly [note: string, body: Cell, type: string, shown: object])[] = [
  ["nothing", emptyCell, "ton_transfer", { comment: null, encrypted: false }],
  ["less than an opcode", shortText, "ton_transfer", { comment: null, encrypted: false }],
  ["a comment", comment("hello"), "ton_transfer", { comment: "hello", encrypted: false }],
  ["an encrypted comment", encrypted, "ton_transfer", { comment: "AQID", encrypted: true }],
  ["a jetton transfer", jettonTransfer((b) => b.storeBit(false)), "jetton_transfer", transferShown],
  ["a jetton transfer that ends early", jettonTransfer((b) => b), "jetton_transfer", transferShown],
  [
    "a jetton transfer with a comment",
    jettonTransfer(note(comment("rent")), strange),
    "jetton_transfer",
    {
      ...transferShown,
      ...{ custom_payload: boc(strange), comment: "rent", payload_sum_type: "TextComment" },
      forward_payload: boc(comment("rent")),
    },
  ],
  [
    "a jetton transfer with a comment in place",
    jettonTransfer((b) => b.storeBit(false).storeSlice(comment("rent").beginParse())),
    "jetton_transfer",
    { ...transferShown, comment: "rent", payload_sum_type: "TextComment", forward_payload: boc(comment("rent")) },
  ],
  [
    "a jetton transfer with an encrypted comment",
    jettonTransfer(note(encrypted)),
    "jetton_transfer",
    {
      ...transferShown,
      ...{ comment: "AQID", encrypted_comment: true, payload_sum_type: "EncryptedTextComment" },
      forward_payload: boc(encrypted),
    },
  ],
  [
    "a jetton transfer that swaps",
    jettonTransfer(note(swap)),
    "jetton_transfer",
    {
      ...transferShown,
      ...{ payload_sum_type: "StonfiSwap", forward_payload: boc(swap) },
      stonfi_swap_body: { jetton_wallet: raw(three), min_amount: "11", user_address: raw(one) },
    },
  ],
  [
    "a jetton transfer with something else",
    jettonTransfer(note(strange)),
    "jetton_transfer",
    { ...transferShown, payload_sum_type: "Unknown", forward_payload: boc(strange) },
  ],
  ["a jetton burn", burn, "jetton_burn", { query_id: queryId, amount: "4", response_destination: null }],
  ["a jetton mint", minted(0x00000015), "jetton_mint", mintShown(0x00000015)],
  ["the other jetton mint", minted(0x642b7d07), "jetton_mint", mintShown(0x642b7d07)],
  [
    "an NFT transfer",
    asked(0x5fcc3d14)
      .storeAddress(one)
      .storeAddress(null)
      .storeBit(false)
      .storeCoins(2n)
      .storeBit(true)
      .storeRef(strange)
      .endCell(),
    "nft_transfer",
    {
      query_id: queryId,
      new_owner: raw(one),
      response_destination: null,
      custom_payload: null,
      forward_amount: "2",
      forward_payload: boc(strange),
    },
  ],
  ["a top-up", asked(0x00009fd3).endCell(), "jetton_top_up", { query_id: queryId }],
  [
    "a new admin",
    asked(0x6501f354).storeAddress(two).endCell(),
    "jetton_change_admin",
    { query_id: queryId, new_admin_address: raw(two) },
  ],
  ["an admin who accepts", asked(0xfb88e119).endCell(), "jetton_claim_admin", { query_id: queryId }],
  [
    "new content",
    asked(0xcb862902).storeStringTail("https://example.org/coin.json").endCell(),
    "jetton_change_content",
    { query_id: queryId, new_metadata_url: "https://example.org/coin.json" },
  ],
  [
    "new content in a cell of its own",
    asked(0xcb862902).storeStringRefTail("https://example.org/coin.json").endCell(),
    "jetton_change_content",
    { query_id: queryId, new_metadata_url: "https://example.org/coin.json" },
  ],
  ["a call of a status", callTo(status), "jetton_call_to", callShown(status, "JettonSetStatus")],
  ["a call of a burn", callTo(burn), "jetton_call_to", callShown(burn, "JettonBurn")],
  [
    "a call of a transfer",
    callTo(jettonTransfer((b) => b)),
    "jetton_call_to",
    callShown(
      jettonTransfer((b) => b),
      "JettonTransfer",
    ),
  ],
  ["a call of something", callTo(emptyCell), "jetton_call_to", callShown(emptyCell, "Unknown")],
  ["a status", status, "jetton_set_status", { query_id: queryId, new_status: 3 }],
  [
    "a withdrawal of a nominator",
    asked(0x00001000).storeCoins(12n).endCell(),
    "single_nominator_withdraw",
    { query_id: queryId, coins: "12" },
  ],
  [
    "another validator",
    asked(0x00001001).storeAddress(two).endCell(),
    "single_nominator_change_validator",
    { query_id: queryId, validator_address: raw(two) },
  ],
  [
    "a message of a vesting wallet",
    asked(0x75097f5d).storeUint(3, 8).storeRef(inner).endCell(),
    "vesting_internal_transfer",
    {
      query_id: queryId,
      send_mode: 3,
      destination: raw(one),
      value: "8",
      message_body: boc(comment("vested")),
      comment: "vested",
    },
  ],
  ["something else", strange, "unknown", { opcode: 0x12345678, data: boc(strange) }],
];

describe("an action of an order", () => {
  it.each(vectors)("is shown for %s", (_note, body, type, parsedBody) => {
    expect(shown(paying(body))).toEqual([sent(body, type, parsedBody)]);
  });

  it("is shown for a message without a body", () => {
    expect(shown(paying(undefined))).toEqual([sent(emptyCell, "ton_transfer", { comment: null, encrypted: false })]);
  });

  it("is shown for an external outgoing message", () => {
    const info = { type: "external-out" as const, createdLt: 0n, createdAt: 0, src: null, dest: null };
    expect(shown(sending({ info, body: comment("log") }, 1))).toEqual([
      {
        ...sent(comment("log"), "ton_transfer", { comment: "log", encrypted: false }),
        ...{ destination: null, value: "0", send_mode: 1 },
      },
    ]);
  });

  it("is shown for a change of the wallet itself", () => {
    const params = begin(0x1d0cfbd3)
      .storeUint(2, 8)
      .storeRef(beginCell().storeDictDirect(members(one, two)).endCell());
    const alone = { destination: null, value: null, body_raw: null, parsed: true, error: null, send_mode: 0 };
    const type = { parsed_body_type: "multisig_update_params" };
    const [withProposers, without] = [members(three), undefined].map((proposers) =>
      beginCell().storeSlice(params.endCell().beginParse()).storeDict(proposers).endCell(),
    );
    expect(shown(withProposers as Cell, without as Cell)).toEqual([
      {
        ...{ ...alone, ...type },
        parsed_body: { new_threshold: 2, new_signers: [raw(one), raw(two)], new_proposers: [raw(three)] },
      },
      { ...alone, ...type, parsed_body: { new_threshold: 2, new_signers: [raw(one), raw(two)], new_proposers: [] } },
    ]);
  });

  it("is not shown for a known body with a wrong layout, nor for an invalid message", () => {
    const cut = begin(0x0f8a7ea5).storeUint(1, 8).endCell();
    const incoming = external({ to: target, body: cut });
    const bad = begin(0xf1381e5b)
      .storeUint(3, 8)
      .storeRef(
        beginCell()
          .storeUint(0b10, 2)
          .storeAddress(incoming.info.dest as CoreAddress)
          .endCell(),
      )
      .endCell();
    const failed = { parsed: false, error: expect.any(String), parsed_body: null, parsed_body_type: "unknown" };
    expect(shown(paying(cut), bad)).toEqual([
      { destination: raw(target), value: "5", body_raw: boc(cut), ...failed, send_mode: 3 },
      { destination: null, value: null, body_raw: null, ...failed, send_mode: 0 },
    ]);
  });

  it("lists the accounts for the address book", () => {
    const bodies = [
      jettonTransfer(note(swap)),
      burn,
      minted(0x15),
      callTo(status),
      asked(0x5fcc3d14).storeAddress(one).storeAddress(three).storeBit(false).storeCoins(0n).storeBit(false).endCell(),
      asked(0x6501f354).storeAddress(two).endCell(),
      asked(0x00001001).storeAddress(two).endCell(),
      asked(0x75097f5d).storeUint(3, 8).storeRef(inner).endCell(),
      comment("nobody"),
    ];
    const named = read(...bodies.map((body) => paying(body))).map(({ content }) =>
      content.kind === "parsed" ? addressesOf(content.body) : [],
    );
    const [first, second, third] = [one, two, three].map((address) => address.toRawString());
    expect(named).toEqual([
      [first, second, third, first],
      [undefined],
      [first],
      [first],
      [first, third],
      [second],
      [second],
      [first],
      [],
    ]);
  });
});
