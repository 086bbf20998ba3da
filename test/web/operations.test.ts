import { beginCell } from "@ton/core";
import { describe, expect, it } from "vitest";
import { findOpcodeName } from "../../src/contracts/decode.ts";
import { families } from "../../src/contracts/registry.ts";
import { learn } from "../../web/api/book.ts";
import type { Message, Transaction } from "../../web/api/types.ts";
import { findReturnedOpcode, isDecodedFor, nameOpcode } from "../../web/format/operations.ts";
import { findDecoded, nameOperation } from "../../web/parts/message.ts";
import { flowOf } from "../../web/trace/flow.ts";

const hexOf = (opcode: number) => `0x${opcode.toString(16).padStart(8, "0")}`;
const bodies = families.flatMap((family) => family.bodies.map(({ opcode, name }) => ({ family, opcode, name })));
/** Opcodes that anybody may choose: small numbers, and those that several families declare with different names. */
const shared = [...new Set(bodies.map(({ opcode }) => opcode))].filter((opcode) => opcode > 0 && opcode < 0x10000);

function message(fields: Partial<Message>): Message {
  const nothing = { opcode: null, decoded_opcode: null, bounced: false, init_state: null, message_content: null };
  return { hash: "", source: "0:A", destination: "0:B", value: "1", ...nothing, ...fields } as unknown as Message;
}

function learnInterfaces(address: string, interfaces: readonly string[]): void {
  learn({ address_book: { [address]: { user_friendly: null, domain: null, interfaces } } });
}

describe("the name of an operation", () => {
  it("never comes from a shared opcode alone", () => {
    expect(shared.length).toBeGreaterThan(40);
    for (const opcode of shared) {
      for (const interfaces of [[], ["wallet_v5r1"], ["nft_item"], ["dedust_pool", "stonfi_router"]])
        expect(nameOpcode(hexOf(opcode), findOpcodeName(opcode), interfaces)).toBe(`Operation ${opcode}`);
    }
  });

  it("comes from the interface of the receiver first", () => {
    const names = findOpcodeName(1);
    const named = (kind: string, opcode = "0x00000001") => nameOpcode(opcode, findOpcodeName(Number(opcode)), [kind]);
    expect(names?.split(",").length).toBe(3);
    expect(named("nft_collection")).toBe("Mint NFT");
    expect(named("pyth_price_oracle")).toBe("Pyth update guardian set");
    expect(named("wallet_v4r2")).toBe("Deploy plugin");
    expect(named("wallet_v3r2")).toBe("Operation 1");
    expect(named("jetton_master", "0x00000015")).toBe("Mint jettons");
    expect(named("pyth_price_oracle", "0x00000005")).toBe("Pyth parse price feed updates");
  });

  it("is the one of the API for opcodes that are hashes, and the opcode without one", () => {
    expect(nameOpcode("0x7362d09c", "jetton_notify", ["wallet_v4r2"])).toBe("Jetton notify");
    expect(nameOpcode("0xf718510f", "mulisig_new_order", ["multisig_v2"])).toBe("Multisig new order");
    expect(nameOpcode("0x8010fb69", null, [])).toBe("Operation 0x8010fb69");
  });

  it("is in words for requests of wallets, transfers and deployments", () => {
    const signed = { hash: "", body: "", decoded: { "@type": "wallet_signed_v4" } };
    const cases: readonly (readonly [Partial<Message>, string])[] = [
      [{ source: null, opcode: "0x27b17148", message_content: signed }, "Wallet signed v4"],
      [{ source: null, opcode: "0x27b17148" }, "External message"],
      [{}, "Transfer"],
      [{ opcode: "0x00000000", decoded_opcode: "text_comment" }, "Transfer with comment"],
      [{ opcode: "0x8010fb69", init_state: { hash: "", body: "", decoded: null } }, "Deploy"],
    ];
    expect(cases.map(([fields]) => nameOperation(message(fields)))).toEqual(cases.map(([, name]) => name));
    expect(nameOperation(undefined)).toBe("Tick-tock");
  });

  it("says that a message came back, and which operation it answers", () => {
    const body = (sent: number) =>
      beginCell().storeUint(0xffffffff, 32).storeUint(sent, 32).storeUint(7, 64).endCell().toBoc().toString("base64");
    const returned = (sent: number) =>
      message({
        source: "0:C",
        bounced: true,
        opcode: "0xffffffff",
        decoded_opcode: "bounce",
        message_content: { hash: "", body: body(sent), decoded: null },
      });
    expect(findReturnedOpcode(body(0x0f8a7ea5))).toBe("0x0f8a7ea5");
    expect(nameOperation(returned(0x0f8a7ea5))).toBe("Came back: Operation 0x0f8a7ea5");
    learn({ transactions: [{ in_msg: message({ opcode: "0x0f8a7ea5", decoded_opcode: "jetton_transfer" }) }] });
    expect(nameOperation(returned(0x0f8a7ea5))).toBe("Came back: Jetton transfer");
    expect(nameOperation(returned(0))).toBe("Came back: Transfer with comment");
    // The operation was one of the account that returns the message.
    learnInterfaces("0:C", ["nft_collection"]);
    expect(nameOperation(returned(1))).toBe("Came back: Mint NFT");
    expect(nameOperation(message({ bounced: true }))).toBe("Came back");
    expect(["", "te6cck", "!!", beginCell().endCell().toBoc().toString("base64")].map(findReturnedOpcode)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });
});

describe("the decoded body of a message", () => {
  it("is not shown when the opcode is one that contracts number by hand and the receiver is another contract", () => {
    const decoded = { "@type": "evaa_supply_master", query_id: "1" };
    const mint = message({
      destination: "0:D",
      opcode: "0x00000001",
      message_content: { hash: "", body: "", decoded },
    });
    learnInterfaces("0:D", ["nft_collection"]);
    expect(findDecoded(mint)).toBeUndefined();
    learnInterfaces("0:D", ["evaa_master"]);
    expect(findDecoded(mint)).toEqual(decoded);
    expect(isDecodedFor("jetton_transfer", "0x0f8a7ea5", [])).toBe(true);
    expect(isDecodedFor("text_comment", "0x00000000", [])).toBe(true);
  });
});

describe("the messages in the row of a transaction", () => {
  const row = (incoming: Message | null, outgoing: readonly Message[]) =>
    flowOf({ in_msg: incoming, out_msgs: outgoing } as unknown as Transaction);
  const request = message({ hash: "request", source: null });
  const received = message({ hash: "received" });
  const sent = ["one", "two", "three", "four"].map((hash) => message({ hash }));
  const [first] = sent;

  it("are those that were sent, when an external message asks for it", () => {
    expect(row(request, sent.slice(0, 1))).toEqual({ shown: [{ direction: "out", message: first }], more: 0 });
    expect(row(request, sent)).toEqual({
      shown: sent.slice(0, 3).map((each) => ({ direction: "out", message: each })),
      more: 1,
    });
    expect(row(request, [])).toEqual({ shown: [{ direction: "in", message: request }], more: 0 });
  });

  it("are the received one and those that were sent, otherwise", () => {
    expect(row(received, sent.slice(0, 1))).toEqual({
      shown: [
        { direction: "in", message: received },
        { direction: "out", message: first },
      ],
      more: 0,
    });
    expect(row(null, [])).toEqual({ shown: [], more: 0 });
  });
});
