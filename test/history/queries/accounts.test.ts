import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { interfacesOf } from "../../../src/contracts/interfaces.ts";
import { dnsEntries } from "../../../src/history/entities/dnsEntries.ts";
import { listAccounts, listCodeHolders } from "../../../src/history/queries/accounts.ts";
import { addressBook } from "../../../src/history/queries/addressBook.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import type { Row } from "../../../src/history/store/schema/Table.ts";
import * as tables from "../../../src/history/store/schema/tables.ts";
import { type Address, formatAddress, makeAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { sameDigits } from "../../kit/api/v3/v3Stage.ts";
import { enginesOfTables, openFresh } from "../../kit/history/database.ts";
import { loadRows } from "../../kit/history/loadRows.ts";
import { noAuction } from "../../kit/history/tokenRows.ts";

type State = Row<typeof tables.latestAccountStates>;

const accountAt = (at: number): Address => makeAddress(0, at.toString(16).padStart(64, "0"));
const withMethods = { hash: sameDigits("a"), boc: Buffer.from("code a"), methods: [85143, 97026] };
const withoutMethods = { hash: sameDigits("b"), boc: Buffer.from("code b"), methods: undefined };
/** No row has this code. */
const lost = sameDigits("c");

function stateOf(account: Address, codeHash: Hash | undefined): State {
  return {
    account,
    hash: sameDigits("1"),
    balance: 5n,
    balanceExtra: undefined,
    status: codeHash === undefined ? "uninit" : "active",
    timestamp: 1,
    lastTransHash: sameDigits("2"),
    lastTransLt: 7n,
    frozenHash: undefined,
    dataHash: undefined,
    codeHash,
    dataBoc: undefined,
  };
}

const codesInTurn = [withMethods.hash, withoutMethods.hash, lost, undefined];
const states = Array.from({ length: 12 }, (_, at) => stateOf(accountAt(at), codesInTurn[at % codesInTurn.length]));
const accounts = states.map(({ account }) => account);

function nameOf(account: Address, domain: string, owner: Address): Row<typeof dnsEntries> {
  return {
    nftItemAddress: makeAddress(0, Buffer.from(domain).toString("hex").padStart(64, "0")),
    nftItemOwner: owner,
    domain,
    dnsNextResolver: undefined,
    dnsWallet: account,
    dnsSiteAdnl: undefined,
    dnsStorageBagId: undefined,
    lastTransactionLt: 1n,
    ...noAuction,
  };
}

/**
 * The third account has two names of its own and the sixth has one; the name of the fourth belongs to another owner,
 * and the last has one although the index has never seen it.
 */
const names = [
  nameOf(accountAt(2), "longer.ton", accountAt(2)),
  nameOf(accountAt(2), "short.ton", accountAt(2)),
  nameOf(accountAt(3), "a.ton", accountAt(4)),
  nameOf(accountAt(5), "other.ton", accountAt(5)),
  nameOf(accountAt(99), "b.ton", accountAt(99)),
];

const ownNames = new Map([
  [accountAt(2), "short.ton"],
  [accountAt(5), "other.ton"],
]);

describe.each(enginesOfTables)("accounts in the %s engine", (engine) => {
  let database: Database;
  let history: History;
  beforeAll(async () => {
    database = await openFresh(engine);
    await database.write(async (session) => {
      await loadRows(session, tables.latestAccountStates, states);
      await loadRows(session, tables.codes, [withMethods, withoutMethods]);
      await loadRows(session, dnsEntries, names);
    });
    history = new History(contractHistory, { database });
  });
  afterAll(() => database?.close());

  const known = new Map<Hash | undefined, typeof withMethods | typeof withoutMethods>([
    [withMethods.hash, withMethods],
    [withoutMethods.hash, withoutMethods],
  ]);

  it("show a shared code for each, in the requested order", async () => {
    const asked = [...accounts.toReversed(), accountAt(99), accountAt(0)];
    for (const withCode of [true, false]) {
      const latestAccounts = await history.read({}, (reading) =>
        listAccounts(reading, { accounts: asked, codeHashes: [], withCode }),
      );
      const expected = states.toReversed().map((row) => {
        const code = known.get(row.codeHash);
        const interfaces = interfacesOf({ codeHash: row.codeHash, methods: code?.methods });
        return {
          row,
          codeBoc: withCode && code ? new Uint8Array(code.boc) : undefined,
          methods: code?.methods,
          interfaces,
        };
      });
      expect(latestAccounts).toEqual(expected);
    }
  });

  it("are those with one of the requested codes", async () => {
    const list = { accounts, codeHashes: [withoutMethods.hash, lost], withCode: false };
    const latestAccounts = await history.read({}, (reading) => listAccounts(reading, list));
    expect(latestAccounts.map(({ row }) => row)).toEqual(states.filter((_, at) => at % 4 === 1 || at % 4 === 2));
  });

  it("are in the address book with the interfaces of their code and the shortest of their own names", async () => {
    const asked = [...accounts, accountAt(99), accountAt(0)];
    const book = await history.read({}, (reading) => addressBook(reading, asked));
    const rowOf = (account: Address) => {
      const state = states.find((each) => each.account === account);
      const codeHash = state?.codeHash;
      const flags = { bounceable: codeHash !== undefined, testOnly: false };
      return {
        userFriendly: formatAddress(account, flags, "base64url"),
        domain: ownNames.get(account),
        interfaces: interfacesOf({ codeHash, methods: known.get(codeHash)?.methods }),
      };
    };
    expect([...book]).toEqual([...accounts, accountAt(99)].map((account) => [account, rowOf(account)]));
  });

  it("are listed by code, a page after the other, without the one that is asked about", async () => {
    const page = (after: Address | undefined, limit: number) =>
      history.read({}, (reading) =>
        listCodeHolders(reading, { codeHash: withMethods.hash, except: accountAt(4), after }, limit),
      );
    expect(await page(undefined, 5)).toEqual({ accounts: [accountAt(0), accountAt(8)], next: undefined });
    expect(await page(undefined, 1)).toEqual({ accounts: [accountAt(0)], next: accountAt(0) });
    expect(await page(accountAt(0), 1)).toEqual({ accounts: [accountAt(8)], next: undefined });
    expect(await page(accountAt(8), 1)).toEqual({ accounts: [], next: undefined });
  });
});
