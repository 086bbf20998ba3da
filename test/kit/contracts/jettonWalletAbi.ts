import type { Abi } from "../../../src/contracts/abi/Abi.ts";

/** The ABI of a jetton wallet as a program declares it. */
export const jettonWalletAbi = {
  name: "jetton_wallet",
  methods: [
    {
      name: "get_wallet_data",
      args: [],
      result: [
        { name: "balance", type: "coins" },
        { name: "owner", type: "address" },
        { name: "jetton", type: "address" },
        { name: "wallet_code", type: "cell" },
      ],
    },
  ],
  receives: [
    {
      name: "transfer",
      tag: "#0f8a7ea5",
      fields: [
        { name: "query_id", type: "uint64" },
        { name: "amount", type: "coins" },
        { name: "destination", type: "address" },
        { name: "response_destination", type: "address?" },
        { name: "custom_payload", type: { maybe: "cell" } },
        { name: "forward_ton_amount", type: "coins" },
        { name: "forward_payload", type: { either: "slice" } },
      ],
    },
    { name: "burn", tag: "#595f07bc", fields: [{ name: "query_id", type: "uint64" }] },
  ],
  sends: [{ name: "excesses", tag: "#d53276db", fields: [{ name: "query_id", type: "uint64" }] }],
  storage: [
    {
      fields: [
        { name: "balance", type: "coins" },
        { name: "owner", type: "address" },
        { name: "jetton", type: "address" },
        { name: "wallet_code", type: "cell" },
      ],
    },
    {
      fields: [
        { name: "balance", type: "coins" },
        { name: "owner", type: "address" },
        { name: "jetton", type: "address" },
      ],
    },
  ],
  errors: { "706": "not enough jettons" },
} as const satisfies Abi;

/** The ABI of its minter. */
export const jettonMinterAbi = {
  name: "jetton_master",
  methods: [
    {
      name: "get_wallet_address",
      args: [{ name: "owner", type: "address" }],
      result: [{ name: "wallet", type: "address" }],
    },
    { name: "get_nothing", args: [], result: [] },
  ],
  errors: { "11": "there is no such get-method" },
} as const satisfies Abi;
