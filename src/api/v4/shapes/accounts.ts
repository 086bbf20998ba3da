import { Type } from "typebox";
import { emptyCell } from "../../../cell/Builder.ts";
import type { AccountNow } from "../../../chain/accounts.ts";
import { decimal, field, int, nullable, objectSchema, shape } from "../../../lib/kit/shape.ts";
import type { TransactionPoint } from "../../../lite/queries/transactions.ts";
import type { StorageInfo } from "../../../model/Account.ts";
import type { ExtraCurrencies } from "../../../model/Currency.ts";
import { hashToBase64 } from "../../../model/Hash.ts";
import { boc } from "../../v2/shapes/ids.ts";
import { hash64 } from "../../v2/shapes/scalars.ts";
import { blockId } from "./ids.ts";

const kind = "Status of the account; it determines the other fields.";
const uninit = objectSchema({ type: [kind, Type.Literal("uninit")] });
const frozen = objectSchema({
  type: [kind, Type.Literal("frozen")],
  stateHash: ["Hash of the state that the account had, in base64.", hash64.schema],
});
const maybeBag = Type.Union([boc.schema, Type.Null()]);

const fullState = field({
  schema: Type.Union([
    uninit,
    objectSchema({
      type: [kind, Type.Literal("active")],
      code: ["Code as a bag of cells in base64; null without code.", maybeBag],
      data: ["Data as a bag of cells in base64; null without data.", maybeBag],
    }),
    frozen,
  ]),
  encode: ({ content }: AccountNow) => {
    if (content.kind === "frozen") return { type: "frozen", stateHash: hashToBase64(content.stateHash) };
    if (content.kind !== "active") return { type: "uninit" };
    const { code, data } = content;
    return { type: "active", code: code === undefined ? null : boc.encode(code), data: data ? boc.encode(data) : null };
  },
});

const liteState = field({
  schema: Type.Union([
    uninit,
    objectSchema({
      type: [kind, Type.Literal("active")],
      codeHash: ["Hash of the code cell, in base64; of the empty cell without code.", hash64.schema],
      dataHash: ["Hash of the data cell, in base64; of the empty cell without data.", hash64.schema],
    }),
    frozen,
  ]),
  encode: ({ content }: AccountNow) => {
    if (content.kind === "frozen") return { type: "frozen", stateHash: hashToBase64(content.stateHash) };
    if (content.kind !== "active") return { type: "uninit" };
    // Clients require both hashes.
    const { code = emptyCell, data = emptyCell } = content;
    return { type: "active", codeHash: hashToBase64(code.hash()), dataHash: hashToBase64(data.hash()) };
  },
});

const currencies = field({
  schema: Type.Record(Type.String({ pattern: "^[0-9]+$" }), decimal.schema),
  encode: (extra: ExtraCurrencies) =>
    Object.fromEntries(extra.entries().map(([id, amount]) => [String(id), amount.toString()])),
});

const point = shape<TransactionPoint>()({
  lt: decimal("Logical time of the transaction.", (last) => last.lt),
  hash: hash64("Hash of the transaction, in base64.", (last) => last.hash),
});

const storageStat = shape<StorageInfo>()({
  lastPaid: int("Time of the last payment for storage, in Unix seconds.", (stat) => stat.lastPaid),
  duePayment: nullable(decimal)(
    "Unpaid storage fee, in nanocoins; null when there is none.",
    (stat) => stat.duePayment,
  ),
  used: shape<StorageInfo["used"]>()({
    bits: int("Size in bits.", (used) => Number(used.bits)),
    cells: int("Size in cells.", (used) => Number(used.cells)),
  })("Size of what the account stores.", (stat) => stat.used),
});

const common = {
  balance: shape<AccountNow["balance"]>()({
    coins: decimal("Balance, in nanocoins.", (balance) => balance.coins),
    currencies: currencies("Amounts of other currencies, by id.", (balance) => balance.extra),
  })("Balance of the account, in all currencies.", (account: AccountNow) => account.balance),
  last: nullable(point)("Last transaction of the account; null without one.", ({ lastTransaction }: AccountNow) =>
    lastTransaction.lt === 0n ? undefined : lastTransaction,
  ),
  storageStat: nullable(storageStat)(
    "What the account stores and when it was paid; null if it does not exist.",
    (account: AccountNow) => account.storage,
  ),
};

const whole = (account: AccountNow) => account;

/** An account with its code and data. */
export const accountAnswer = shape<AccountNow>()({
  account: shape<AccountNow>()({ state: fullState("State of the account.", whole), ...common })(
    "State and balance of the account.",
    whole,
  ),
  block: blockId("Masterchain block at which the account was read.", (account) => account.block),
});

/** An account with the hashes of its code and data. */
export const accountLiteAnswer = shape<AccountNow>()({
  account: shape<AccountNow>()({ state: liteState("State of the account.", whole), ...common })(
    "State and balance of the account.",
    whole,
  ),
});
