import { Type } from "typebox";
import { emptyCell } from "../../../cell/Builder.ts";
import type { AccountNow } from "../../../chain/accounts.ts";
import { decimal, field, int, nullable, shape } from "../../../lib/kit/shape.ts";
import type { TransactionPoint } from "../../../lite/queries/transactions.ts";
import type { StorageInfo } from "../../../model/Account.ts";
import type { ExtraCurrencies } from "../../../model/Currency.ts";
import { hashToBase64 } from "../../../model/Hash.ts";
import { boc } from "../../v2/shapes/ids.ts";
import { hash64 } from "../../v2/shapes/scalars.ts";
import { blockId } from "./ids.ts";

const uninit = Type.Object({ type: Type.Literal("uninit") });
const frozen = Type.Object({ type: Type.Literal("frozen"), stateHash: hash64.schema });
const maybeBag = Type.Union([boc.schema, Type.Null()]);

const fullState = field({
  schema: Type.Union([uninit, Type.Object({ type: Type.Literal("active"), code: maybeBag, data: maybeBag }), frozen]),
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
    Type.Object({ type: Type.Literal("active"), codeHash: hash64.schema, dataHash: hash64.schema }),
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

const point = shape<TransactionPoint>()({ lt: decimal((last) => last.lt), hash: hash64((last) => last.hash) });

const storageStat = shape<StorageInfo>()({
  lastPaid: int((stat) => stat.lastPaid),
  duePayment: nullable(decimal)((stat) => stat.duePayment),
  used: shape<StorageInfo["used"]>()({
    bits: int((used) => Number(used.bits)),
    cells: int((used) => Number(used.cells)),
  })((stat) => stat.used),
});

const common = {
  balance: shape<AccountNow["balance"]>()({
    coins: decimal((balance) => balance.coins),
    currencies: currencies((balance) => balance.extra),
  })((account: AccountNow) => account.balance),
  last: nullable(point)(({ lastTransaction }: AccountNow) => (lastTransaction.lt === 0n ? undefined : lastTransaction)),
  storageStat: nullable(storageStat)((account: AccountNow) => account.storage),
};

const whole = (account: AccountNow) => account;

/** An account with its code and data. */
export const accountAnswer = shape<AccountNow>()({
  account: shape<AccountNow>()({ state: fullState(whole), ...common })(whole),
  block: blockId((account) => account.block),
});

/** An account with the hashes of its code and data. */
export const accountLiteAnswer = shape<AccountNow>()({
  account: shape<AccountNow>()({ state: liteState(whole), ...common })(whole),
});
