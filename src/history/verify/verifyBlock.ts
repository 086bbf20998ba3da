import type { Random } from "../../lib/random.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { AccountAfter, DecodedBatch } from "../ingest/decode/DecodedBatch.ts";
import { type KnownTokens, listEventAccounts, makeEvents } from "../ingest/decode/tokenEvents.ts";
import type { ReadAccounts } from "../ingest/states/AccountReader.ts";
import { KnownEntities } from "../meaning/KnownEntities.ts";
import type { SqlSession } from "../store/Database.ts";
import { addressList, hashList } from "../store/schema/columns.ts";
import * as tables from "../store/schema/tables.ts";
import { jettonBurns, jettonTransfers, nftTransfers } from "../store/schema/tokenTables.ts";
import { findStateAfter, noStateAfter, statesAfter } from "../store/write/statesAfter.ts";
import type { ChainModules, ProvedChain } from "./ProvedChain.ts";
import { compareEntities } from "./verifyEntities.ts";
import { type Compared, compareRows, joinCompared, selectRows } from "./verifyRows.ts";

type Session = Pick<SqlSession, "query">;

const blockKey = ["workchain", "shard", "seqno"] as const;
const hashKey = ["hash"] as const;
const placeKey = ["account", "hash", "lt"] as const;
const stateColumns = Object.keys(noStateAfter) as readonly (keyof typeof noStateAfter)[];

/** Compares what a block alone contains: blocks, transactions, messages. */
export async function compareBlock(session: Session, { batch, rows, transactions }: DecodedBatch): Promise<Compared> {
  const { mcSeqno } = batch;
  const ofBlock = [mcSeqno];
  const byHash = (list: readonly { readonly hash: Hash }[]) => [hashList(list.map(({ hash }) => hash))];
  const isListed = "t.hash = any($1::bytea[])";
  return joinCompared([
    compareRows(
      { table: tables.blocks, key: blockKey },
      mcSeqno,
      rows.blocks,
      await selectRows(session, tables.blocks, "t.mc_block_seqno = $1", ofBlock),
    ),
    compareRows(
      { table: tables.shardState, key: blockKey },
      mcSeqno,
      rows.shardState,
      await selectRows(session, tables.shardState, "t.mc_seqno = $1", ofBlock),
    ),
    compareRows(
      // A block does not say which trace a transaction belongs to; states are compared apart.
      { table: tables.transactions, key: hashKey, ignored: ["traceId", ...stateColumns] },
      mcSeqno,
      transactions.map(({ row }) => ({ ...row, traceId: row.hash })),
      await selectRows(session, tables.transactions, "t.mc_block_seqno = $1", ofBlock),
    ),
    compareRows(
      { table: tables.messages, key: hashKey, mayGain: true },
      mcSeqno,
      rows.messages,
      await selectRows(session, tables.messages, isListed, byHash(rows.messages)),
    ),
  ]);
}

/** Compares the account states after a block, their codes, and the entities of the accounts. */
export async function compareStates(
  session: Session,
  chain: ProvedChain,
  mcSeqno: number,
  addresses: ReadonlySet<Address>,
): Promise<Compared> {
  return compareRead(session, chain, { mcSeqno, addresses, read: await chain.readStates(mcSeqno, addresses) });
}

/**
 * Compares an account as it came from another chain. Other contracts say what it is, and when it came is not stored:
 * they are asked at the first block, and, since they may have changed before it came, at the newest one.
 */
export async function compareArrived(
  session: Session,
  chain: ProvedChain,
  account: AccountAfter,
  firstSeqno: number,
): Promise<Compared> {
  const compareAt = async (mcSeqno: number) =>
    compareRead(session, chain, {
      mcSeqno,
      addresses: new Set([account.address]),
      read: await chain.readUnmentioned(mcSeqno, account),
    });
  const compared = await compareAt(firstSeqno);
  if (compared.differences.length === 0) return compared;
  const atHead = await compareAt(chain.headSeqno);
  return atHead.differences.length === 0 ? atHead : compared;
}

interface StatesRead {
  readonly mcSeqno: number;
  readonly addresses: ReadonlySet<Address>;
  readonly read: ReadAccounts;
}

async function compareRead(
  session: Session,
  chain: ProvedChain,
  { mcSeqno, addresses, read: { rows, accounts } }: StatesRead,
): Promise<Compared> {
  const states = await selectStates(session, addresses, rows.accountStates);
  const latest = await selectRows(session, tables.latestAccountStates, "t.account = any($1::bytea[])", [
    addressList(addresses),
  ]);
  const ltOf = new Map(latest.map(({ account, lastTransLt }) => [account, lastTransLt]));
  // Rows that later blocks changed are compared there.
  const isLast = (account: Address, lt: bigint) => (ltOf.get(account) ?? 0n) <= lt;
  const last = rows.latestAccountStates.filter(({ account, lastTransLt }) => isLast(account, lastTransLt));
  const named = new Set(last.map(({ account }) => account));
  const codes = await selectRows(session, tables.codes, "t.hash = any($1::bytea[])", [
    hashList(rows.codes.map(({ hash }) => hash)),
  ]);
  return joinCompared([
    compareRows({ table: tables.accountStates, key: placeKey }, mcSeqno, rows.accountStates, states),
    compareRows(
      { table: tables.latestAccountStates },
      mcSeqno,
      last,
      latest.filter(({ account }) => named.has(account)),
    ),
    compareRows({ table: tables.codes, mayGain: true }, mcSeqno, rows.codes, codes),
    await compareEntities(
      session,
      chain,
      mcSeqno,
      // The last state of an account that changed in several blocks comes last.
      [...new Map(accounts.map((account) => [account.address, account])).values()].filter(({ address }) =>
        named.has(address),
      ),
    ),
  ]);
}

/** The stored states with the places of these, those with transactions and those without. */
async function selectStates(
  session: Session,
  addresses: ReadonlySet<Address>,
  expected: ReadAccounts["rows"]["accountStates"],
): Promise<ReadAccounts["rows"]["accountStates"]> {
  const ofAccounts = addressList(addresses);
  const apart = await selectRows(
    session,
    tables.accountStates,
    "t.account = any($1::bytea[]) and t.hash = any($2::bytea[])",
    [ofAccounts, hashList(expected.map(({ hash }) => hash))],
  );
  const after = await selectRows(session, statesAfter, "t.account = any($1::bytea[]) and t.lt = any($2::bigint[])", [
    ofAccounts,
    expected.map(({ lt }) => String(lt)),
  ]);
  const placeOf = ({ account, hash, lt }: (typeof expected)[number]) => `${account} ${hash} ${lt}`;
  const isOwn = new Set(expected.map(placeOf));
  return [...apart, ...after.flatMap((row) => findStateAfter(row) ?? [])].filter((state) => isOwn.has(placeOf(state)));
}

/** Checks whether an account changed without the tables knowing. */
export async function compareHead(session: Session, chain: ProvedChain, address: Address): Promise<Compared> {
  const { headSeqno: mcSeqno } = chain;
  const [row] = await selectRows(session, tables.latestAccountStates, "t.account = any($1::bytea[])", [
    addressList([address]),
  ]);
  const { lastTransLt } = await chain.getAccount(address, mcSeqno);
  if (row === undefined || row.lastTransLt >= lastTransLt) return { rows: 0, differences: [] };
  const { name: table } = tables.latestAccountStates;
  const columns = ["lastTransLt"];
  return { rows: 0, differences: [{ kind: "different", table, mcSeqno, key: address, columns }] };
}

/** Compares the token events of a block. */
export async function compareEvents(
  session: Session,
  chain: ProvedChain,
  decoded: DecodedBatch,
  { network }: Pick<ChainModules, "network">,
): Promise<Compared> {
  const { mcSeqno } = decoded.batch;
  const traceTransactions = decoded.transactions.map(({ seen: each }) => each);
  const accounts = listEventAccounts(traceTransactions);
  const known = new KnownEntities(network, new Map());
  await known.load(session, accounts);
  const byTables = await compareWith(session, decoded, known.facts);
  if (byTables.differences.length === 0) return byTables;
  // The tables have what an account became later; the state at the block decides.
  const then = new KnownEntities(network, new Map());
  const states = await Promise.all(accounts.map((address) => chain.getAccount(address, mcSeqno)));
  then.add(await chain.detect(states, mcSeqno), states);
  return compareWith(session, decoded, then.facts);
}

async function compareWith(session: Session, { batch, transactions }: DecodedBatch, known: KnownTokens) {
  const { mcSeqno } = batch;
  const stored = await session.query("select hash, trace_id from transactions where mc_block_seqno = $1", [mcSeqno]);
  const { hash, traceId } = tables.transactions.columns;
  const traceIds = new Map(stored.map((row) => [hash.read(row.hash ?? null), traceId.read(row.trace_id ?? null)]));
  const traceTransactions = transactions.map((each) => each.seen);
  const events = makeEvents(traceTransactions, traceIds, known);
  const own = new Set(traceTransactions.map((each) => each.hash));
  const ofBlock = [
    addressList(traceTransactions.map(({ account }) => account)),
    traceTransactions.map(({ lt }) => String(lt)),
  ];
  const where = (name: string) => `t.${name} = any($1::bytea[]) and t.tx_lt = any($2::bigint[])`;
  const isOwn = ({ txHash }: { readonly txHash: Hash }) => own.has(txHash);
  return joinCompared([
    compareRows(
      { table: jettonTransfers },
      mcSeqno,
      events.jettonTransfers,
      (await selectRows(session, jettonTransfers, where("source_wallet"), ofBlock)).filter(isOwn),
    ),
    compareRows(
      { table: jettonBurns },
      mcSeqno,
      events.jettonBurns,
      (await selectRows(session, jettonBurns, where("jetton_wallet"), ofBlock)).filter(isOwn),
    ),
    compareRows(
      { table: nftTransfers },
      mcSeqno,
      events.nftTransfers,
      (await selectRows(session, nftTransfers, where("nft_item"), ofBlock)).filter(isOwn),
    ),
  ]);
}

/** A random selection of a list; the whole list when it is short. */
export function chooseSome<T>(list: readonly T[], max: number, random: Random): readonly T[] {
  const left = [...list];
  while (left.length > max) left.splice(random.int(left.length), 1);
  return left;
}
