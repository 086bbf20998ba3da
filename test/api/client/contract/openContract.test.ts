import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createClient } from "../../../../src/api/client/client.ts";
import { type ContractClient, openContract } from "../../../../src/api/client/contract/openContract.ts";
import type {
  AnyStackValue,
  ContractMessage,
  ContractStorage,
  TypedContract,
} from "../../../../src/api/client/contract/TypedContract.ts";
import { createV3Client } from "../../../../src/api/client/v3Client.ts";
import { beginCell } from "../../../../src/cell/Builder.ts";
import { writeBoc } from "../../../../src/cell/boc.ts";
import type { Abi } from "../../../../src/contracts/abi/Abi.ts";
import { AbiCodec } from "../../../../src/contracts/abi/AbiCodec.ts";
import { parseAbi } from "../../../../src/contracts/abi/parseAbi.ts";
import { families } from "../../../../src/contracts/registry.ts";
import { abiFields } from "../../../kit/contracts/abiValues.ts";
import { jettonMinterAbi, jettonWalletAbi } from "../../../kit/contracts/jettonWalletAbi.ts";

const address = `0:${"AB".repeat(32)}`;
const other = `-1:${"01".repeat(32)}`;

const addressOnly: Abi = { name: "a", storage: [{ fields: [{ name: "address", type: "address" }] }] };
const empty = writeBoc(beginCell().cell()).toString("base64");
/** The slice of the address. */
const slice = writeBoc(new AbiCodec(addressOnly).encodeStorage({ address })).toString("base64");

/** A client that answers with this. */
function answering(answer: unknown, form: ContractClient["form"] = "pairs"): ContractClient & { asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    form,
    asked,
    ask: async (...call) => {
      asked.push(call);
      return answer;
    },
  };
}

const silent = answering(undefined);
const run = (stack: readonly unknown[], exit_code = 0) => ({ exit_code, stack });

/** Bigints as text, as JSON has them. */
const asText = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? each.toString() : each)));

const everyType = {
  name: "every",
  types: {
    Point: {
      struct: [
        { name: "x", type: "int8" },
        { name: "y", type: "uint33" },
      ],
    },
  },
  methods: [
    {
      name: "find",
      id: 65_537,
      args: [
        { name: "at", type: { named: "Point" } },
        { name: "more", type: { maybe: "uint8" } },
      ],
      result: [
        { name: "any", type: "any" },
        { name: "pairs", type: { list: { tuple: [{ name: "n", type: "int" }] } } },
        { name: "content", type: "content" },
      ],
    },
  ],
  receives: [
    {
      name: "set",
      tag: "$1",
      fields: [
        { name: "flag", type: "bool" },
        {
          name: "how",
          type: {
            union: [
              { name: "left", tag: "$0", fields: [{ name: "p", type: { named: "Point" } }] },
              { name: "right", tag: "$1", fields: [] },
            ],
          },
        },
        { name: "book", type: { dict: { key: "uint32", value: { ref: "text" } } } },
        { name: "many", type: { ref: { many: "uint32" } } },
      ],
    },
    { name: "ping", tag: "$0", fields: [{ name: "note", type: { maybe: "uint8" } }] },
  ],
} as const satisfies Abi;

describe("the types of a contract", () => {
  type Result<M extends (...args: never) => unknown> = Awaited<ReturnType<M>>;
  type JettonWallet = TypedContract<typeof jettonWalletAbi>;
  type Every = TypedContract<typeof everyType>;
  type Point = { readonly x: number; readonly y: bigint };
  type GivenPoint = { readonly x: number | bigint; readonly y: number | bigint };

  it("are those of its ABI", () => {
    expectTypeOf<Result<JettonWallet["read"]["get_wallet_data"]>>().toEqualTypeOf<{
      readonly balance: bigint;
      readonly owner: string;
      readonly jetton: string;
      readonly wallet_code: string;
    }>();
    expectTypeOf<Parameters<JettonWallet["encode"]["transfer"]>[0]>().toEqualTypeOf<{
      readonly query_id: bigint | number;
      readonly amount: bigint | number;
      readonly destination: string;
      readonly forward_ton_amount: bigint | number;
      readonly forward_payload: string;
      readonly response_destination?: string | null;
      readonly custom_payload?: string | null;
    }>();
    expectTypeOf<ContractStorage<typeof jettonWalletAbi>>().toEqualTypeOf<
      | { readonly balance: bigint; readonly owner: string; readonly jetton: string; readonly wallet_code: string }
      | { readonly balance: bigint; readonly owner: string; readonly jetton: string }
    >();
    expectTypeOf<ContractMessage<typeof jettonWalletAbi>["name"]>().toEqualTypeOf<"transfer" | "burn" | "excesses">();
    type Excesses = Extract<ContractMessage<typeof jettonWalletAbi>, { readonly name: "excesses" }>;
    expectTypeOf<Excesses["fields"]>().toEqualTypeOf<{ readonly query_id: bigint }>();
  });

  it("have names, structures, unions, dictionaries, lists and tuples", () => {
    expectTypeOf<Parameters<Every["read"]["find"]>[0]>().toEqualTypeOf<{
      readonly at: GivenPoint;
      readonly more?: number | bigint | null;
    }>();
    expectTypeOf<Result<Every["read"]["find"]>>().toEqualTypeOf<{
      readonly any: AnyStackValue;
      readonly pairs: readonly { readonly n: bigint }[];
      readonly content: string | { readonly [attribute: string]: string };
    }>();
    expectTypeOf<Extract<ContractMessage<typeof everyType>, { readonly name: "set" }>["fields"]>().toEqualTypeOf<{
      readonly flag: boolean;
      readonly how: { readonly "@type": "left"; readonly p: Point } | { readonly "@type": "right" };
      readonly book: readonly { readonly key: number; readonly value: string }[];
      readonly many: readonly number[];
    }>();
    expectTypeOf<TypedContract<typeof everyType>["encode"]["ping"]>().toBeCallableWith();
    expectTypeOf<TypedContract<typeof everyType>["encode"]["set"]>().parameter(0).not.toEqualTypeOf<undefined>();
  });

  it("are inferred from an ABI that is written inline, by both clients", () => {
    const open = () =>
      createClient("http://x").contract(address, {
        name: "counter",
        methods: [{ name: "count", args: [], result: [{ name: "value", type: "uint32" }] }],
      });
    expectTypeOf<Awaited<ReturnType<Awaited<ReturnType<typeof open>>["read"]["count"]>>>().toEqualTypeOf<{
      readonly value: number;
    }>();
    const v3 = () => createV3Client("http://x").contract(address, jettonMinterAbi);
    expectTypeOf<Awaited<ReturnType<typeof v3>>>().toEqualTypeOf<TypedContract<typeof jettonMinterAbi>>();
  });

  it("are any values where only the program knows the ABI", () => {
    const contract = openContract(silent, address, jettonWalletAbi as Abi);
    expectTypeOf(contract.encode).toHaveProperty("anything");
    expectTypeOf<ReturnType<typeof contract.decode>>().toExtend<{ readonly name: string } | undefined>();
  });

  it("refuse wrong names and values", () => {
    const { read, encode } = openContract(silent, address, everyType);
    const wrong = [
      // @ts-expect-error there is no such method
      () => read.nothing(),
      // @ts-expect-error an argument is missing
      () => read.find({ more: 1 }),
      // @ts-expect-error a number is needed
      () => read.find({ at: { x: "1", y: 2n } }),
      // @ts-expect-error there is no such field
      () => encode.ping({ node: 1 }),
      // @ts-expect-error there is no such constructor
      () => encode.set({ flag: true, how: { "@type": "up" }, book: [], many: [] }),
    ];
    expect(wrong.map((each) => typeof each)).toEqual(wrong.map(() => "function"));
  });
});

describe("bodies", () => {
  const wallet = openContract(silent, address, jettonWalletAbi);
  const transfer = { query_id: 1, amount: 5n, destination: other, forward_ton_amount: 0n, forward_payload: empty };

  it("are made and read by names, wide integers as bigints", () => {
    expect(wallet.decode(wallet.encode.transfer(transfer))).toEqual({
      name: "transfer",
      fields: {
        ...transfer,
        query_id: 1n,
        response_destination: null,
        custom_payload: null,
      },
    });
    expect(wallet.decode(empty)).toBeUndefined();
  });

  it("are refused with the path of a value that does not fit", () => {
    expect(() => wallet.encode.transfer({ ...transfer, amount: -1n })).toThrow("transfer.amount: ");
    expect(() => wallet.decode("no bag")).toThrow(expect.objectContaining({ code: "abi/value" }));
  });

  it("come back as they were, for every message of every known interface", () => {
    const codecs = families.flatMap((family) => family.interfaces.map(({ abi }): Abi => abi));
    const known = [everyType as Abi, ...codecs].filter(({ receives }) => (receives ?? []).length > 0);
    expect(known.length).toBeGreaterThan(5);
    for (const abi of known) {
      const { encode, decode } = openContract(silent, address, parseAbi(JSON.parse(JSON.stringify(abi))));
      for (const { name, fields } of abi.receives ?? []) {
        const values = abiFields(fields, abi.types);
        fc.assert(
          fc.property(values, (given) => {
            const body = encode[name]?.(given) ?? "";
            const decoded = decode(body);
            // Two messages of an interface may have the same bits.
            if (decoded?.name === name) expect(asText(decoded.fields)).toEqual(given);
            else expect(decoded).toBeDefined();
          }),
          { numRuns: 20 },
        );
      }
    }
  });
});

describe("reads", () => {
  it("send arguments by names and give results by names", async () => {
    const client = answering(run([["cell", { bytes: slice }]]));
    const minter = openContract(client, address, jettonMinterAbi);
    const signal = new AbortController().signal;
    expect(await minter.read.get_wallet_address({ owner: other }, { signal, seqno: 7 })).toEqual({ wallet: address });
    const stack = [["tvm.Slice", expect.any(String)]];
    expect(client.asked).toEqual([
      ["runGetMethod", { address, method: "get_wallet_address", stack, seqno: 7 }, { signal }],
    ]);
  });

  it("use the number of a method that has one", async () => {
    const client = answering(
      run([
        ["list", { elements: [] }],
        ["list", { elements: [] }],
        ["cell", { bytes: empty }],
      ]),
    );
    const result = await openContract(client, address, everyType).read.find({ at: { x: -1, y: 2n } });
    expect(result).toEqual({ any: null, pairs: [], content: empty });
    const stack = [
      ["num", "-0x1"],
      ["num", "0x2"],
      ["list", { "@type": "tvm.list", elements: [] }],
    ];
    expect(client.asked).toEqual([["runGetMethod", { address, method: 65_537, stack }, {}]]);
  });

  it("fail with the exit code, in the words of the ABI", async () => {
    const minter = openContract(answering(run([], 11)), address, jettonMinterAbi);
    await expect(minter.read.get_nothing()).rejects.toMatchObject({
      code: "api/exit-code",
      message: "get_nothing: exit code 11: there is no such get-method",
      data: { exitCode: 11, error: "there is no such get-method" },
    });
    const wallet = openContract(answering(run([], -14)), address, jettonWalletAbi);
    await expect(wallet.read.get_wallet_data()).rejects.toMatchObject({
      message: "get_wallet_data: exit code -14",
      data: { exitCode: -14 },
    });
  });

  it("refuse on v3 what only v2 takes", async () => {
    const { read } = openContract(answering(run([]), "entries"), address, everyType);
    await expect(read.find({ at: { x: 1, y: 1 } })).rejects.toMatchObject({ code: "api/stack-entry" });
    await expect(read.find({ at: { x: 1, y: 1 }, more: 1 }, { seqno: 1 })).rejects.toMatchObject({
      code: "api/argument",
    });
  });

  it("blame the server for a result that cannot be read", async () => {
    const read = (stack: unknown) =>
      openContract(answering({ exit_code: 0, stack }), address, jettonMinterAbi).read.get_wallet_address({
        owner: other,
      });
    for (const stack of [undefined, [["cell", "?"]], [["num", "many"]], [["tuple", 5]], [[]], [null], [{ type: {} }]])
      await expect(read(stack)).rejects.toMatchObject({ code: "api/unreachable" });
    await expect(read([["num", "0x1"]])).rejects.toMatchObject({ code: "abi/data" });
  });
});

describe("storage", () => {
  const codec = new AbiCodec(jettonWalletAbi, { integers: "bigint" });
  const fields = { balance: 5n, owner: other, jetton: address, wallet_code: empty };
  const data = codec.encodeStorage(fields);

  it("is the data of the account by names", async () => {
    const bag = writeBoc(data).toString("base64");
    for (const form of ["pairs", "entries"] as const) {
      const client = answering({ code: empty, data: bag }, form);
      expect(await openContract(client, address, jettonWalletAbi).storage()).toEqual(fields);
      const v3 = ["addressInformation", { address, use_v2: true }, {}];
      expect(client.asked).toEqual([form === "pairs" ? ["getAddressInformation", { address }, {}] : v3]);
    }
  });

  it("is refused where there is none, or another one", async () => {
    for (const data of ["", null, empty]) {
      const wallet = openContract(answering({ code: "", data }), address, jettonWalletAbi);
      await expect(wallet.storage()).rejects.toMatchObject({ code: "abi/data" });
    }
  });
});

describe("an ABI of a stranger", () => {
  it("is refused with the path of what is wrong", async () => {
    const client = createClient("http://127.0.0.1:1", { fetch: () => Promise.reject(new Error("no request")) });
    const wrong = { name: "x", methods: [{ name: "__proto__", args: [], result: [] }] };
    await expect(client.contract(address, wrong)).rejects.toMatchObject({ code: "abi/form" });
  });

  it("may have names of properties that every object has", () => {
    const abi = { name: "x", receives: [{ name: "toString", tag: "$1", fields: [] }] } as const;
    const { encode, decode } = openContract(silent, address, abi);
    expect(decode(encode.toString())).toEqual({ name: "toString", fields: {} });
  });
});
