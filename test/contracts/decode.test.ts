import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Builder, beginCell, emptyCell } from "../../src/cell/Builder.ts";
import { writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { sliceOf } from "../../src/cell/Slice.ts";
import {
  decodeBody,
  decodeBodyText,
  findDecodedBody,
  findOpcodeName,
  isUnknownBody,
  opcodeName,
} from "../../src/contracts/decode.ts";
import { formatJson } from "../../src/lib/json.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { anyMutation, mutateCell } from "../kit/cell/mutatedCell.ts";
import { cpuMs } from "../kit/suite/cpuMs.ts";

const account = "ab".repeat(32);
const addressJson = {
  "@type": "addr_std",
  anycast: { "@type": "nothing_from_maybe" },
  workchain_id: "0",
  address: account.toUpperCase(),
};
const nothing = { "@type": "nothing_from_maybe" };

function withOpcode(opcode: number): Builder {
  return beginCell().storeUint(opcode, 32);
}

function storeAddress(builder: Builder): Builder {
  return builder.storeUint(4, 3).storeInt(0, 8).storeHex(account);
}

function comment(text: string): Cell {
  return withOpcode(0).storeBytes(Buffer.from(text)).cell();
}

function transfer(payload: Cell): Cell {
  const body = withOpcode(0x0f8a7ea5).storeBigUint(7n, 64).storeCoins(1_000_000n);
  return storeAddress(storeAddress(body)).storeBit(false).storeCoins(0n).storeBit(true).storeRef(payload).cell();
}

function text(cell: Cell): string {
  return writeBoc(cell).toString("base64");
}

const message = storeAddress(beginCell().storeUint(0b0110_00, 6))
  .storeCoins(5n)
  .storeBit(false)
  .storeCoins(0n)
  .storeCoins(0n)
  .storeBigUint(0n, 64)
  .storeUint(0, 32)
  .storeUint(0, 2)
  .cell();

describe("decoding a body", () => {
  it("recognises an empty cell", () => {
    expect(decodeBody(emptyCell)).toEqual({ "@type": "empty_cell" });
  });

  it("returns the size of a body that is too short for an opcode", () => {
    expect(decodeBody(beginCell().storeUint(1, 31).cell())).toBe("unknown: boc is too small, size 31");
    expect(decodeBody(beginCell().storeRef(emptyCell).cell())).toBe("unknown: boc is too small, size 0");
  });

  it("reports that no layout fits, for known and unknown opcodes", () => {
    expect(decodeBody(withOpcode(0xdeadbeef).cell())).toBe("unknown: no parser succeeded");
    expect(decodeBody(withOpcode(0x0f8a7ea5).cell())).toBe("unknown: no parser succeeded");
    expect(decodeBody(withOpcode(0x60dfc677).cell())).toBe("unknown: no parser succeeded");
  });

  it("shows a jetton transfer with its comment", () => {
    expect(decodeBody(transfer(comment("hi")))).toEqual({
      "@type": "jetton_transfer",
      query_id: "7",
      amount: { "@type": "var_uint", len: "3", value: "1000000" },
      destination: addressJson,
      response_destination: addressJson,
      custom_payload: nothing,
      forward_ton_amount: { "@type": "var_uint", len: "0", value: "0" },
      forward_payload: { "@type": "second_from_either", value: { "@type": "text_comment", text: "hi" } },
    });
  });

  it("keeps the written length of a number", () => {
    const body = withOpcode(0x642b7d07).storeBigUint(0n, 64);
    const cell = storeAddress(body).storeUint(3, 4).storeUint(5, 24).cell();
    expect(decodeBody(cell)).toMatchObject({ ton_amount: { amount: { len: "3", value: "5" } } });
  });

  it("allows data after the last field of a body, but not in a typed reference", () => {
    const excess = withOpcode(0xd53276db).storeBigUint(1n, 64);
    expect(decodeBody(excess.storeUint(9, 8).cell())).toEqual({ "@type": "excess", query_id: "1" });
    const stake = (signature: Cell): Cell =>
      withOpcode(0x4e73744b).storeBytes(Buffer.alloc(80)).storeRef(signature).cell();
    const signature = beginCell().storeBytes(Buffer.alloc(64));
    expect(isUnknownBody(decodeBody(stake(signature.cell())))).toBe(false);
    expect(isUnknownBody(decodeBody(stake(signature.storeBit(true).cell())))).toBe(true);
  });

  it("tries the layouts of an opcode in order", () => {
    const record = withOpcode(0x4eb1f0f9).storeBigUint(0n, 64).storeHex(account);
    expect(decodeBody(record.cell())).toMatchObject({ "@type": "delete_dns_record" });
    const value = beginCell().storeUint(0x7473, 16).storeHex(account).cell();
    expect(decodeBody(record.storeRef(value).cell())).toEqual({
      "@type": "change_dns_record",
      query_id: "0",
      key: account.toUpperCase(),
      value: { "@type": "dns_storage_address", bag_id: account.toUpperCase() },
    });
  });

  it("shows the chunks of a text record", () => {
    const last = beginCell().storeUint(2, 8).storeBytes(Buffer.from("bc")).cell();
    const first = beginCell().storeUint(0x1eda, 16).storeUint(2, 8).storeUint(1, 8).storeBytes(Buffer.from("a"));
    const body = withOpcode(0x4eb1f0f9).storeBigUint(0n, 64).storeHex(account).storeRef(first.storeRef(last).cell());
    const end = { "@type": "text_chunk", len: "2", data: "6263", next: { "@type": "chunk_ref_empty" } };
    const rest = { "@type": "text_chunk", len: "1", data: "61", next: { "@type": "chunk_ref", ref: end } };
    expect(decodeBody(body.cell())).toMatchObject({
      value: { "@type": "dns_text", "": { "@type": "text", chunks: "2", rest } },
    });
  });

  it("reads text that continues in references", () => {
    const tail = beginCell().storeBytes(Buffer.from("world")).cell();
    const cell = withOpcode(0).storeBytes(Buffer.from("hello ")).storeRef(tail).cell();
    expect(decodeBody(cell)).toEqual({ "@type": "text_comment", text: "hello world" });
    expect(findDecodedBody(cell)).toEqual({ "@type": "text_comment", type: "text_comment", comment: "hello world" });
  });

  it("shows a dictionary edge by edge", () => {
    const address = storeAddress(beginCell()).cell();
    const leaf = (label: Builder): Cell => label.storeSlice(sliceOf(address)).cell();
    const left = leaf(beginCell().storeUint(0b110, 3).storeUint(7, 3));
    const right = leaf(beginCell().storeUint(0b10, 2).storeUint(7, 3).storeUint(1, 7));
    const signers = beginCell().storeUint(0, 2).storeRef(left).storeRef(right).cell();
    const order = beginCell().storeUint(0b110, 3).storeUint(8, 4).storeRef(updateParams(signers)).cell();
    expect(decodeBody(withOpcode(0xa32c59bf).storeBigUint(0n, 64).storeRef(order).cell())).toEqual({
      "@type": "multisig_execute_internal",
      query_id: "0",
      order: {
        "": {
          "@type": "hashmap_edge",
          label: { "@type": "hashmap_label_same", v: false, n: "8" },
          node: {
            "@type": "hashmap_node_leaf",
            value: {
              cell_reference: {
                "@type": "update_multisig_param",
                threshold: "2",
                signers: {
                  "@type": "hashmap_edge",
                  label: { "@type": "hashmap_label_short", len: { "@type": "unary_zero" }, s: "" },
                  node: {
                    "@type": "hashmap_node_fork",
                    left: {
                      "@type": "hashmap_edge",
                      label: { "@type": "hashmap_label_same", v: false, n: "7" },
                      node: { "@type": "hashmap_node_leaf", value: addressJson },
                    },
                    right: {
                      "@type": "hashmap_edge",
                      label: { "@type": "hashmap_label_long", n: "7", s: "03_" },
                      node: { "@type": "hashmap_node_leaf", value: addressJson },
                    },
                  },
                },
                proposers: { "@type": "hashmap_empty" },
              },
            },
          },
        },
      },
    });
  });
});

function updateParams(signers: Cell): Cell {
  return beginCell().storeUint(0x1d0cfbd3, 32).storeUint(2, 8).storeRef(signers).storeBit(false).cell();
}

describe("bags inside bags", () => {
  it("decodes a text that is a bag", () => {
    expect(decodeBody(comment(text(comment("inner"))))).toEqual({
      "@type": "text_comment",
      text: { "@type": "text_comment", text: "inner" },
    });
  });

  it("keeps a bag of unknown kind unchanged", () => {
    const unknown = withOpcode(0xdeadbeef).cell();
    expect(decodeBody(transfer(unknown))).toMatchObject({
      forward_payload: { "@type": "second_from_either", value: text(unknown) },
    });
  });

  it("stops at the tenth", () => {
    let cell = comment("end");
    for (let i = 0; i < 11; i++) cell = transfer(cell);
    let shown: unknown = decodeBody(cell);
    for (let i = 0; i < 10; i++) shown = (shown as { forward_payload: { value: unknown } }).forward_payload.value;
    expect(shown).toMatchObject({ forward_payload: { value: text(comment("end")) } });
  });
});

describe("bodies of wallets", () => {
  const signature = Buffer.alloc(64, 0x5a);
  const v3 = beginCell().storeBytes(signature).storeUint(1, 32).storeUint(2, 32).storeUint(3, 32);

  it("are recognised by their whole layout", () => {
    const body = beginCell().storeBuilder(v3).storeUint(3, 8).storeRef(message);
    expect(decodeBody(body.cell())).toMatchObject({
      "@type": "wallet_signed_v3",
      subwallet_id: "1",
      valid_until: "2",
      msg_seqno: "3",
      msgs: { "@type": "msgs_1", msg_1: { mode: "3", msg: { "@type": "message" } } },
    });
    const v4 = beginCell().storeBuilder(v3).storeUint(0, 8).storeUint(3, 8).storeRef(message);
    expect(decodeBody(v4.cell())).toMatchObject({
      "@type": "wallet_signed_v4",
      op: { "@type": "simple_send", msgs: { "@type": "msgs_1" } },
    });
    expect(isUnknownBody(decodeBody(body.storeBit(true).cell()))).toBe(true);
  });

  it("of the fifth version list their actions from the last to the first", () => {
    const action = (prev: Cell): Cell =>
      beginCell().storeRef(prev).storeUint(0x0ec3c86d, 32).storeUint(3, 8).storeRef(message).cell();
    const request = withOpcode(0x7369676e).storeUint(1, 32).storeUint(2, 32).storeUint(3, 32);
    const body = request
      .storeBit(true)
      .storeRef(action(action(emptyCell)))
      .storeBit(false)
      .storeBytes(signature);
    expect(decodeBody(body.cell())).toMatchObject({
      "@type": "w5_external_signed_request",
      request: {
        inner: {
          out_actions: {
            value: { cell_reference: { "@type": "out_list", prev: { prev: { "@type": "out_list_empty" } } } },
          },
          extended_actions: nothing,
        },
      },
    });
    expect(isUnknownBody(decodeBody(body.storeBit(true).cell()))).toBe(true);
  });
});

describe("names of opcodes", () => {
  it("are found signed and unsigned", () => {
    expect(findOpcodeName(0xd53276db)).toBe("excess");
    expect(findOpcodeName(0xd53276db | 0)).toBe("excess");
    expect(opcodeName(0xffffffff)).toBe("bounce");
    expect(opcodeName(0xdeadbeef)).toBe("unknown");
    expect(findOpcodeName(0xdeadbeef)).toBeUndefined();
  });

  it("are joined if three protocols share one", () => {
    expect(opcodeName(1)).toBe("evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin");
  });
});

describe("text forms", () => {
  it("are base64 if they start like a bag, and hex otherwise", () => {
    const bag = writeBoc(comment("hi"));
    const shown = { "@type": "text_comment", text: "hi" };
    expect(decodeBodyText(bag.toString("base64"))).toEqual(shown);
    expect(decodeBodyText(bag.toString("hex"))).toEqual(shown);
  });

  it("that are invalid are distinguished", () => {
    expect(decodeBodyText("te6!")).toMatch(/^unknown: failed to decode base64: /);
    expect(decodeBodyText("xyz")).toMatch(/^unknown: failed to decode hex: /);
    expect(decodeBodyText("b5ee9c72")).toMatch(/^unknown: failed to deserialize boc: /);
  });
});

describe("hostile bodies", () => {
  it("with endless steps give no JSON that is too deep to write", () => {
    const step = (next: Cell | undefined): Cell => {
      const builder = storeAddress(beginCell()).storeBit(false).storeCoins(1n);
      return builder.storeMaybeRef(next).cell();
    };
    let steps = step(undefined);
    for (let i = 0; i < 900; i++) steps = step(steps);
    const params = beginCell().storeUint(0, 32).storeUint(0, 4).storeUint(0, 2).cell();
    const body = storeAddress(withOpcode(0xe3a0d482)).storeBit(false).storeCoins(1n).storeMaybeRef(steps);
    expect(isUnknownBody(decodeBody(body.storeRef(params).cell()))).toBe(true);
  });

  it("with a dictionary of one repeated cell are rejected", () => {
    let tree = beginCell().storeUint(0, 2).storeUint(3, 8).storeRef(message).cell();
    for (let i = 0; i < 16; i++) tree = beginCell().storeUint(0, 2).storeRef(tree).storeRef(tree).cell();
    const wallet = beginCell().storeBytes(Buffer.alloc(64, 0x5a)).storeUint(1, 32).storeBigUint(1n, 64);
    const before = cpuMs();
    expect(isUnknownBody(decodeBody(wallet.storeMaybeRef(tree).cell()))).toBe(true);
    expect(cpuMs() - before).toBeLessThan(10_000);
  });

  it("of random cells never crash", () => {
    const opcodes = [0, 0x0f8a7ea5, 0x7369676e, 0x9c73fba2, 0xea06185d, 0x4eb1f0f9, 0xc0ffee20, 0xdeadbeef];
    const random = seededRandom("bodies");
    const makeCell = (depth: number): Cell => {
      const builder = withOpcode(opcodes[random.int(opcodes.length)] ?? 0).storeBytes(random.bytes(random.int(100)));
      for (let i = depth === 0 ? 0 : random.int(5); i > 0; i--) builder.storeRef(makeCell(depth - 1));
      return builder.cell();
    };
    fc.assert(
      fc.property(fc.nat({ max: 4 }), anyMutation, (depth, mutation) => {
        const decoded = decodeBody(mutateCell(makeCell(depth), mutation));
        if (!isUnknownBody(decoded)) formatJson(decoded);
      }),
      { numRuns: 3000 },
    );
  });
});
