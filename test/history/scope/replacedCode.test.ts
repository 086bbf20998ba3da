import { afterAll, beforeAll, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { makeStateInit } from "../../../src/chain/message.ts";
import type { Scope } from "../../../src/history/scope/Scope.ts";
import { claimScope } from "../../../src/history/scope/storedScope.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { StateInit } from "../../../src/model/StateInit.ts";
import { openFresh } from "../../kit/history/database.ts";
import { type IndexStage, openIndexStage } from "../../kit/history/indexStage.ts";
import { expectedRows, listDifferences, storedRows } from "../../kit/history/scope/scopedRows.ts";
import { type ChainKit, openChainKit } from "../../kit/localnet/localChain.ts";

const never = new AbortController().signal;

/** SETCP 0; nothing else. */
const newCode = beginCell().storeUint(0xff00, 16).cell();
/** SETCP 0, DROP, SEMPTY, IFRET, PUSHREF, SETCODE: a message with a body replaces the code. */
const oldCode = beginCell().storeUint(0xff0030c700dc, 48).storeUint(0x88fb04, 24).storeRef(newCode).cell();

let kit: ChainKit;
let stage: IndexStage;
/** The transactions of the account in order: deployed, changed, used. */
let traces: readonly string[];

beforeAll(async () => {
  kit = await openChainKit();
  const chain = await kit.open();
  const init = makeStateInit({ code: oldCode, data: emptyCell });
  const to = makeAddress(0, storeCell(StateInit, init).hash());
  const amount = 1_000_000_000n;
  const body: Cell = beginCell().storeUint(1, 32).cell();
  for (const transfer of [
    { to, amount, init },
    { to, amount, body },
    { to, amount },
  ]) {
    await chain.send(chain.wallet(0), transfer);
    await chain.rounds(3);
  }
  stage = await openIndexStage(chain.net.ledger, await openFresh("postgres"));
  await stage.indexer({}).run(never);
  const rows = await stage.database.query(
    "select encode(trace_id, 'hex') as id from transactions where account = $1::bytea order by lt",
    [`\\x80${to.slice(2)}`],
  );
  traces = rows.map(({ id }) => String(id));
});
afterAll(async () => {
  await stage?.close();
  await kit?.close();
});

/** The traces that an index of a code has. */
async function listTraces(code: Cell): Promise<readonly string[]> {
  const scope: Scope = {
    ...{ accounts: [], jettons: [], collections: [], codeHashes: [code.hash()] },
    ...{ from: undefined, until: undefined },
  };
  const database = await openFresh("postgres");
  try {
    await claimScope(database, scope);
    await stage.indexer({}, { database }).run(never);
    expect(listDifferences(await storedRows(database), await expectedRows(stage.database, scope))).toEqual([]);
    const rows = await database.query("select encode(trace_id, 'hex') as id from traces order by start_lt");
    return rows.map(({ id }) => String(id));
  } finally {
    await database.close();
  }
}

it("a transaction that replaces a code counts by both codes", async () => {
  expect(traces).toHaveLength(3);
  expect(await listTraces(oldCode)).toEqual(traces.slice(0, 2));
  expect(await listTraces(newCode)).toEqual(traces.slice(1));
});
