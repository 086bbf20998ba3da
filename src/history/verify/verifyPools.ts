import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { nominatorPools } from "../entities/nominatorPools.ts";
import type { DecodedBatch } from "../ingest/decode/DecodedBatch.ts";
import type { SqlSession } from "../store/Database.ts";
import { addressList } from "../store/schema/columns.ts";
import { isMissing, listMissing } from "../store/schema/missingParts.ts";
import { nominatorPoolEvents, type PoolEventRows, poolValidatorEvents } from "../store/schema/poolTables.ts";
import type { ProvedChain } from "./ProvedChain.ts";
import { type Compared, compareRows, joinCompared, selectRows } from "./verifyRows.ts";

const noEvents: PoolEventRows = { nominatorPoolEvents: [], poolValidatorEvents: [] };

/** Compares the events of nominator pools in a block; blocks that an older version indexed have none. */
export async function comparePoolEvents(
  session: Pick<SqlSession, "query">,
  chain: ProvedChain,
  { batch, transactions }: DecodedBatch,
): Promise<Compared> {
  const { mcSeqno } = batch;
  if (isMissing(await listMissing(session, "pools"), mcSeqno)) return joinCompared([]);
  const ofNominators = await selectRows(session, nominatorPoolEvents, "t.mc_seqno = $1", [mcSeqno]);
  const ofValidators = await selectRows(session, poolValidatorEvents, "t.mc_seqno = $1", [mcSeqno]);
  const accounts = addressList(new Set(transactions.map(({ row }) => row.account)));
  const known = await selectRows(session, nominatorPools, "t.address = any($1::bytea[])", [accounts]);
  const pools = new Set<Address>([
    ...known.map(({ address }) => address),
    ...[...ofNominators, ...ofValidators].map(({ poolAddress }) => poolAddress),
  ]);
  const expected = pools.size === 0 ? noEvents : await chain.readPoolEvents(mcSeqno, pools);
  // An index with a scope may have only a part of them.
  const own = new Set(transactions.map(({ row }) => row.hash));
  const isOwn = ({ txHash }: { readonly txHash: Hash }) => own.has(txHash);
  return joinCompared([
    compareRows({ table: nominatorPoolEvents }, mcSeqno, expected.nominatorPoolEvents.filter(isOwn), ofNominators),
    compareRows({ table: poolValidatorEvents }, mcSeqno, expected.poolValidatorEvents.filter(isOwn), ofValidators),
  ]);
}
