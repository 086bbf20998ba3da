import { recordedDescriptions } from "../../../kit/history/made/madeChain.ts";
import { Builder } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { actionTypeCode } from "../../../src/history/store/schema/actionTypeCode.ts";
import { addressToHex } from "../../../src/history/store/schema/columns.ts";
import { toHex } from "../../../src/lib/bytes.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";

/** Number of rows of the hot account in each table; more than a statement may touch pages. */
export const hotCount = 60_000;
/** Number of transactions of other accounts, one each. */
export const otherCount = 20_000;

const digits = (digit: string) => digit.repeat(64) as Hash;

export const hot: Address = makeAddress(0, digits("1"));
export const other: Address = makeAddress(0, digits("2"));
export const hotWallet: Address = makeAddress(0, digits("3"));
export const hotMaster: Address = makeAddress(0, digits("4"));
export const hotCollection: Address = makeAddress(0, digits("5"));
export const hotItem: Address = makeAddress(0, digits("6"));
/** Has no rows. */
export const nobody: Address = makeAddress(0, digits("9"));
export const commonBody: Hash = digits("b");
export const blockTransactions = 100;
export const firstTime = 1_700_000_000;

const description = toHex(recordedDescriptions()[0] ?? new Uint8Array());
const emptyBag = toHex(writeBoc(new Builder().cell()));
const bytes = (address: Address) => `'\\x${addressToHex(address)}'::bytea`;
const hashOf = (kind: string, number = "i") => `sha256(('${kind}' || ${number})::bytea)`;
const time = `${firstTime} + i / 10`;
const block = `i / ${blockTransactions}`;
const event = `${hashOf("tx")}, i * 10, ${time}, false, ${block}, ${hashOf("tx")}, 0`;
/** In random order, like rows of one account among those of others: neighbours are on different pages. */
const each = `(select i from generate_series(1, ${hotCount}) i order by md5(i::text)) s`;

/** Each fills one table with rows of the hot account. */
const inserts: readonly string[] = [
  `insert into blocks select w, -9223372036854775808, i, ${hashOf("root", "w || ' ' || i")}, ${hashOf("file", "w || ' ' || i")},
     i, -3, 0, false, false, false, false, false, false, false, 1, ${firstTime} + i * ${blockTransactions} / 10,
     i * ${blockTransactions} * 10, (i + 1) * ${blockTransactions} * 10, 0, 0, 0, 0, 0, 0, ${hashOf("seed")}, ${hashOf("by")}, 0, '[]'
   from generate_series(0, ${hotCount} / ${blockTransactions}) i, unnest(array[-1, 0]) w`,
  `insert into transactions select ${bytes(hot)}, i * 10, ${hashOf("tx")}, 0, -9223372036854775808, ${block}, ${block},
     ${hashOf("tx")}, ${hashOf("tx", "(i - 1)")}, i * 10 - 10, ${time}, 'active', 'active', 1, null, ${hashOf("state", "(i - 1)")},
     ${hashOf("state")}, false,
     '\\x${description}', ${hashOf("msg")}, 1 from ${each}`,
  // Rows of other accounts, so that planner statistics show few rows for most accounts.
  `insert into transactions select '\\x80'::bytea || ${hashOf("account")}, i * 10 + 5, ${hashOf("other")}, 0,
     -9223372036854775808, ${block}, ${block}, ${hashOf("other")}, ${hashOf("other")}, 0, ${time}, 'active', 'active', 1, null,
     ${hashOf("state")}, ${hashOf("state")}, false, '\\x${description}', null, null from generate_series(1, ${otherCount}) i`,
  `insert into messages select i * 10 - 1, ${hashOf("msg")}, null, ${bytes(other)}, ${bytes(hot)}, 1, null, 0, 0, null,
     i * 10 - 1, ${time}, 1, true, true, false, null, '\\x${commonBody}', null, ${hashOf("tx", "(i - 1)")}, 0, '\\x${emptyBag}', null from ${each}`,
  // External messages have no time, and are ordered by their hash.
  `insert into messages select i * 10 + 3, ${hashOf("outside")}, null, null, ${bytes(other)}, null, null, null, null, null,
     null, null, 3, null, null, null, 0, ${hashOf("body")}, null, null, null, '\\x${emptyBag}', null
   from (select i from generate_series(1, ${otherCount}) i order by md5(i::text)) s`,
  `insert into traces select ${hashOf("tx")}, null, null, ${block}, ${block}, i * 10, ${time}, i * 10, ${time}, 'complete',
     0, 1, 0, 'ok' from ${each}`,
  `insert into trace_accounts select ${bytes(hot)}, i * 10, ${hashOf("tx")}, ${time} from ${each}`,
  `insert into actions select ${hashOf("tx")}, ${hashOf("act")}, 'ton_transfer', 'ton_transfer', i * 10, i * 10, ${time},
     ${time}, i * 10, ${time}, ${block}, null, null, true, '{}', null, array[${hashOf("tx")}], array[${bytes(hot)}],
     '{}' from ${each}`,
  `insert into action_accounts select ${bytes(hot)}, i * 10, ${hashOf("tx")}, i * 10, ${hashOf("act")}, ${time}, ${time},
     ${actionTypeCode("ton_transfer")}, null from ${each}`,
  // The hot owner sends a third of the jettons, receives another, and sends the last one to itself; some do not arrive.
  `insert into jetton_transfers select ${event.replace("false", "i % 50 = 0")}, 1,
     case when i % 3 = 0 then ${bytes(other)} else ${bytes(hot)} end,
     case when i % 3 = 1 then ${bytes(other)} else ${bytes(hot)} end,
     ${bytes(hotWallet)}, ${bytes(hotMaster)}, null, null, null, null from ${each}`,
  `insert into jetton_burns select ${event}, ${bytes(hot)}, ${bytes(hotWallet)}, ${bytes(hotMaster)}, 1, null, null
   from ${each}`,
  `insert into nft_transfers select ${event}, ${bytes(hotItem)}, 1, ${bytes(hotCollection)}, ${bytes(hot)}, ${bytes(other)},
     null, null, null, null from ${each}`,
  // The hot owner has wallets of many jettons, most of them empty; the hot master gave wallets to many owners.
  `insert into jetton_wallets select '\\x80'::bytea || ${hashOf("wallet")}, i, case when i % 5000 = 0 then i else 0 end, ${bytes(hot)},
     '\\x80'::bytea || ${hashOf("master")}, ${hashOf("code")}, ${hashOf("data")}, i * 10, null, null, null, null from ${each}`,
  `insert into jetton_wallets select '\\x80'::bytea || ${hashOf("hot wallet")}, ${hotCount} + i, case when i % 5000 = 0 then i else 0 end,
     '\\x80'::bytea || ${hashOf("owner")}, ${bytes(hotMaster)}, ${hashOf("code")}, ${hashOf("data")}, i * 10, null, null, null, null
   from ${each}`,
  // The hot owner has items of many collections, and half of one.
  `insert into nft_items select '\\x80'::bytea || ${hashOf("item")}, i, true, i,
     case when i % 2 = 0 then ${bytes(hotCollection)} else '\\x80'::bytea || ${hashOf("collection")} end, ${bytes(hot)}, ${bytes(hot)},
     null, ${hashOf("code")}, ${hashOf("data")}, i * 10 from ${each}`,
  `insert into nft_items select '\\x80'::bytea || ${hashOf("other item")}, ${hotCount} + i, true, i, '\\x80'::bytea || ${hashOf("other collection")},
     '\\x80'::bytea || ${hashOf("other owner")}, '\\x80'::bytea || ${hashOf("other owner")}, null, ${hashOf("code")}, ${hashOf("data")}, i * 10
   from generate_series(1, ${otherCount}) i`,
];

/** Indexes that belong to no constraint and to no index of a partitioned table. */
const indexes = `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and not c.relispartition
    and not exists (select from pg_constraint o where o.conindid = i.indexrelid)`;

/**
 * Fills the tables with a chain where one account takes part in everything. Indexes are made again afterwards, which
 * takes a tenth of the time of adding rows to them in random order.
 */
export async function loadHotRows(database: Database): Promise<void> {
  const made = await database.query(indexes);
  for (const { name } of made) await database.runAlone(`drop index ${name}`);
  for (const sql of inserts) await database.write((session) => session.run(sql));
  // An index of a partitioned table is defined without those of its partitions.
  for (const { definition } of made) await database.runAlone(String(definition).replace(" ON ONLY ", " ON "));
  await database.runAlone("vacuum analyze");
}
