import { expect } from "vitest";
import { formatAddress } from "../../../../src/model/Address.ts";
import { b64, knownWallet, raw, sameDigits, tokens, type V3Stage } from "../../../kit/api/v3/v3Stage.ts";
import { gives, lists, pageRefusals, refuses, sorted, type V3Case, withHeaders } from "./V3Case.ts";

const elector = `-1:${"3".repeat(64)}`;
const unknown = `0:${"7".repeat(64)}`;
const many = Array.from({ length: 1001 }, (_none, at) => `0:${at.toString(16).padStart(64, "0")}`);

const walletBook = {
  user_friendly: formatAddress(knownWallet, { bounceable: false, testOnly: false }, "base64url"),
  domain: "short.ton",
  interfaces: ["wallet_v4r2"],
};
const unknownBook = (flags: { bounceable: boolean; testOnly: boolean }) => ({
  user_friendly: formatAddress(unknown as typeof knownWallet, flags, "base64url"),
  domain: null,
  interfaces: [],
});

const masterMetadata = {
  is_indexed: true,
  token_info: [
    {
      valid: true,
      type: "jetton_masters",
      name: "Coin",
      symbol: "CN",
      is_nsfw: false,
      is_scam: true,
      extra: { decimals: "9", big: 12345678901234567000 },
    },
  ],
};

function walletRow({ rows }: V3Stage) {
  const latestAccountState = rows.latestAccountStates.find(({ account }) => account === knownWallet);
  if (latestAccountState === undefined) throw new Error("the recorded chain has a wallet");
  return latestAccountState;
}

/** The wallet without its cells. */
function shownWallet(stage: V3Stage) {
  const row = walletRow(stage);
  return {
    address: raw(knownWallet),
    account_state_hash: b64(row.hash),
    balance: String(row.balance),
    extra_currencies: {},
    status: "active",
    suspended: false,
    last_transaction_hash: row.lastTransHash && b64(row.lastTransHash),
    last_transaction_lt: String(row.lastTransLt),
    data_hash: row.dataHash && b64(row.dataHash),
    code_hash: row.codeHash && b64(row.codeHash),
    contract_methods: stage.rows.codes.find(({ hash }) => hash === row.codeHash)?.methods,
    interfaces: ["wallet_v4r2"],
  };
}

/** Cases of requests about accounts. */
export const accountCases = {
  accountStates: [
    gives("a state without its cells", { address: knownWallet, include_boc: "false" }, (stage: V3Stage) => ({
      accounts: [shownWallet(stage)],
      address_book: { [raw(knownWallet)]: walletBook },
      metadata: {},
    })),
    gives("a state with its cells", { address: knownWallet, x_no_address_book: "1" }, (stage: V3Stage) => {
      const { codeHash, dataBoc } = walletRow(stage);
      const code = stage.rows.codes.find(({ hash }) => hash === codeHash);
      const cells = {
        code_boc: Buffer.from(code?.boc ?? []).toString("base64"),
        data_boc: Buffer.from(dataBoc ?? []).toString("base64"),
      };
      return { accounts: [{ ...shownWallet(stage), ...cells }], address_book: {}, metadata: {} };
    }),
    lists(
      "states in the order asked for, each once, without those that are not known",
      { address: [unknown, elector, knownWallet, elector] },
      "accounts",
      "address",
      () => [raw(elector as typeof knownWallet), raw(knownWallet)],
    ),
    lists(
      "only accounts with a code",
      (stage) => ({ address: [elector, knownWallet], code_hash: walletRow(stage).codeHash ?? "" }),
      "accounts",
      "address",
      () => [raw(knownWallet)],
    ),
    refuses("no address", {}, 422, "address of account is required"),
    refuses("an empty address", { address: "" }, 422, "address of account is required"),
    refuses("too many", { address: many.join(",") }, 422, "maximum 1000 addresses allowed"),
    refuses("no address at all", { address: "x" }, 422, 'schema: error converting value for index 0 of "address"'),
  ],
  walletStates: [
    gives("a wallet and another account", { address: `${elector},${knownWallet}` }, (stage: V3Stage) => ({
      wallets: [
        expect.objectContaining({ address: raw(elector as typeof knownWallet), is_wallet: false }),
        {
          address: raw(knownWallet),
          is_wallet: true,
          wallet_type: "wallet v4 r2",
          seqno: expect.any(Number),
          wallet_id: expect.any(Number),
          balance: shownWallet(stage).balance,
          status: "active",
          suspended: false,
          code_hash: shownWallet(stage).code_hash,
          last_transaction_hash: shownWallet(stage).last_transaction_hash,
          last_transaction_lt: shownWallet(stage).last_transaction_lt,
        },
      ],
      address_book: { [raw(knownWallet)]: walletBook, [raw(elector as typeof knownWallet)]: expect.anything() },
      metadata: {},
    })),
    refuses("no address", {}, 422, "address of account is required"),
    refuses("too many", { address: many }, 422, "maximum 1000 addresses allowed"),
  ],
  addressBook: [
    gives(
      "rows under the names given",
      { address: [knownWallet, raw(knownWallet), unknown, "nobody", `5000:${sameDigits("0")}`] },
      {
        [knownWallet]: walletBook,
        [raw(knownWallet)]: walletBook,
        [unknown]: unknownBook({ bounceable: false, testOnly: false }),
        nobody: { user_friendly: null, domain: null, interfaces: [] },
        [`5000:${sameDigits("0")}`]: { user_friendly: null, domain: null, interfaces: [] },
      },
    ),
    withHeaders(
      { "x-no-address-book": "1" },
      gives("a book that nothing leaves out", { address: knownWallet }, { [knownWallet]: walletBook }),
    ),
    refuses("no address", {}, 422, "at least 1 address required"),
  ],
  metadata: [
    gives(
      "a jetton wallet with its master",
      { address: [tokens.wallet, "nobody", unknown] },
      {
        [raw(tokens.master)]: masterMetadata,
        [raw(tokens.wallet)]: {
          is_indexed: true,
          token_info: [
            {
              valid: true,
              type: "jetton_wallets",
              extra: { owner: raw(knownWallet), jetton: raw(tokens.master), balance: String(10n ** 30n) },
            },
          ],
        },
      },
    ),
    gives(
      "what was not fetched and what failed",
      { address: [tokens.collection, tokens.item] },
      {
        [raw(tokens.collection)]: { is_indexed: false, token_info: [{ type: "nft_collections" }] },
        [raw(tokens.item)]: {
          is_indexed: true,
          token_info: [{ valid: false, type: "nft_items", nft_index: String(2n ** 255n) }],
        },
      },
    ),
    refuses("no address", {}, 422, "at least 1 address required"),
  ],
  topAccountsByBalance: [
    gives("the richest first", { limit: 3, offset: 1 }, ({ rows }: V3Stage) =>
      sorted(rows.latestAccountStates, [({ balance }) => balance, "desc"], [({ account }) => account, "asc"])
        .slice(1, 4)
        .map(({ account, balance }) => ({ account: raw(account), balance: String(balance) })),
    ),
    ...pageRefusals(),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;
