import { expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { neededFacts, neededFactsInSteps } from "../../../src/contracts/neededFacts.ts";
import { noEntities } from "../../../src/history/entities/entityRows.ts";
import { gatherFacts } from "../../../src/history/meaning/gatherFacts.ts";
import { KnownEntities } from "../../../src/history/meaning/KnownEntities.ts";
import type { SqlParam } from "../../../src/history/store/Database.ts";
import { address } from "../../../src/history/store/schema/columns.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { masterchain } from "../../../src/model/block/BlockId.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import type { Trace, TraceMessage } from "../../../src/model/Trace.ts";
import { accountNamed, message, named, transaction } from "../../kit/history/traceBlocks.ts";

it("gathers facts of a trace with an unreadable body, and of all others", async () => {
  const [one, two, three] = ["one", "two", "three"].map(accountNamed) as [never, never, never];
  const breaking = {
    get isExotic(): boolean {
      throw new RangeError("a mistake");
    },
  } as unknown as Cell;
  const traceOf = (name: string, account: typeof one, body?: Cell): Trace => {
    const received = { ...message(`to ${name}`, two, account), ...(body !== undefined && { body }) };
    const transactions = [transaction({ name, account, lt: 5n, mcSeqno: 1, received })];
    const about = { id: named(name), externalHash: undefined, externalHashNormalized: undefined };
    return { ...about, endLt: 5n, endAt: 1, mcSeqnoEnd: 1, transactions };
  };
  const looked: (readonly SqlParam[])[] = [];
  const session = {
    query: async (_sql: string, params: readonly SqlParam[] = []) => {
      looked.push(params);
      return [];
    },
  };
  await gatherFacts(
    session,
    [traceOf("broken", one, breaking), traceOf("plain", three)],
    new KnownEntities("testnet", new Map()),
  );
  expect(new Set(looked[0]?.[0] as string[])).toEqual(
    new Set([one, two, three].map((account) => address.write(account))),
  );
});

it("asks the tables nothing for fees that come to an account which changed and is no entity", async () => {
  const collector = accountNamed("collector");
  const noSender = makeAddress(masterchain, zeroHash);
  const feeTo = (account: Address, of: Partial<TraceMessage> = {}): Trace => {
    const received = { ...message("fee", noSender, account), body: emptyCell, ...of };
    const transactions = [transaction({ name: "fee", account, lt: 5n, mcSeqno: 1, received })];
    const about = { id: named("fee"), externalHash: undefined, externalHashNormalized: undefined };
    return { ...about, endLt: 5n, endAt: 1, mcSeqnoEnd: 1, transactions };
  };
  const isAsked = async (trace: Trace): Promise<boolean> => {
    const known = new KnownEntities("testnet", new Map());
    known.add(noEntities(), [{ address: collector, code: emptyCell, data: emptyCell, lastTransLt: 5n }]);
    let asked = 0;
    const query = async () => {
      asked++;
      return [];
    };
    await gatherFacts({ query }, [trace], known);
    return asked > 0;
  };
  expect(await isAsked(feeTo(collector))).toBe(false);
  expect(await isAsked(feeTo(accountNamed("another")))).toBe(true);
  expect(await isAsked(feeTo(collector, { source: accountNamed("sender") }))).toBe(true);
  expect(await isAsked(feeTo(collector, { body: beginCell().storeUint(1, 32).cell() }))).toBe(true);
});

it("lets others use the thread between the messages of a large trace", () => {
  const account = accountNamed("busy");
  const outMessages = Array.from({ length: 6_400 }, (_, i) => message(`message ${i}`, account, account));
  const transactions = [transaction({ name: "busy", account, lt: 5n, mcSeqno: 1, sent: outMessages })];
  const about = { id: named("busy"), externalHash: undefined, externalHashNormalized: undefined };
  const trace: Trace = { ...about, endLt: 5n, endAt: 1, mcSeqnoEnd: 1, transactions };
  const steps = neededFactsInSteps(trace, new KnownEntities("testnet", new Map()).facts);
  expect([...steps].length).toBeGreaterThanOrEqual(100);
  expect(neededFacts(trace).accounts).toEqual([account]);
});
