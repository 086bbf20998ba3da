import { afterAll, beforeAll, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { detect } from "../../../src/contracts/detect.ts";
import { addressLeaf } from "../../../src/contracts/families/multisig/wallet.ts";
import { walletVesting } from "../../../src/contracts/families/vesting/contract.ts";
import { addressValue, cellValue, intValue, sliceValue } from "../../../src/contracts/kit/stackValues.ts";
import { makeEntityRows } from "../../../src/history/entities/entityRows.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { type Hash, parseHash } from "../../../src/model/Hash.ts";
import type { VmValue, VmValues } from "../../../src/model/vm/VmValue.ts";
import { FakeCaller } from "../../kit/contracts/FakeCaller.ts";
import { commitBatch } from "../../kit/history/commitBatch.ts";
import { openFresh } from "../../kit/history/database.ts";
import { batchOf } from "../../kit/history/databaseRows.ts";
import { accountNamed } from "../../kit/history/traceBlocks.ts";

const [self, other] = [accountNamed("self"), accountNamed("other")];
const factory = "0:5f0564fb5f604783db57031ce1cf668a88d4d4d6da6de4db222b4b920d6fd800";
const poolCode = parseHash("1275095b6da3911292406f4f4386f9e780099b854c6dee9ee2895ddce70927c1");
const vestingCode = walletVesting.codes[0] as Hash;
const nobody = sliceValue(beginCell().storeUint(0, 2).cell());
const none: VmValue = { kind: "null" };
const [me, somebody] = [addressValue(self), addressValue(other)];
const content = cellValue(beginCell().storeUint(1, 8).storeBytes(Buffer.from("uri")).cell());
const members = cellValue(makeDictionary(uintKey(8), addressLeaf, [[0, other]]).root ?? emptyCell);
const name = sliceValue(beginCell().storeBytes(Buffer.from("a\0b")).cell());
const asset = sliceValue(beginCell().storeUint(0, 4).cell());

/** A contract with all get-methods, which return this number everywhere. */
function answersWith(value: bigint): Readonly<Record<string, VmValues>> {
  const n = intValue(value);
  const sale = [n, n, somebody, somebody, nobody, n, somebody, n, somebody, n];
  const auction = [
    ...[n, n, somebody, somebody, nobody, n, nobody, n, somebody, n],
    ...[n, somebody, n, n, n, n, n, n, n],
  ];
  const own: Readonly<Record<string, VmValues>> = {
    get_jetton_data: [n, n, nobody, content, content],
    get_wallet_address: [me],
    get_wallet_data: [n, somebody, me, content],
    is_claimed: [n],
    get_collection_data: [n, content, nobody],
    get_nft_data: [n, n, nobody, nobody, content],
    get_fix_price_data_v4: [...sale, n, n, none],
    get_auction_data_v4: [n, ...auction, n, n, nobody, nobody, n, n],
    get_telemint_token_name: [name],
    get_telemint_auction_state: [none, n, n, n, n],
    get_telemint_auction_config: [none, n, n, n, n, n],
    royalty_params: [n, n, nobody],
    get_multisig_data: [n, n, members, none],
    get_order_data: [me, n, n, n, members, n, n, n, content],
    get_order_address: [me],
    get_vesting_data: [n, n, n, n, n, somebody, somebody, none],
    get_assets: [asset, asset],
    is_stable: [n],
    get_reserves: [n, n],
    get_trade_fee: [n, n],
  };
  const all = Object.entries(own).map(([method, stack]) => [`${self} ${method}`, stack] as const);
  return { ...Object.fromEntries(all), [`${factory} get_pool_address`]: [me] };
}

let database: Database;
beforeAll(async () => {
  database = await openFresh("postgres");
});
afterAll(() => database.close());

const codes = { plain: emptyCell.hash(), vesting: vestingCode, pool: poolCode };
const small = [0n, -1n, 2n ** 31n - 1n, -(2n ** 31n)];
const large = [2n ** 31n, -(2n ** 31n) - 1n, 2n ** 32n - 1n, 2n ** 53n - 1n, 1n - 2n ** 53n];
const huge = [2n ** 53n, 2n ** 63n, 2n ** 256n - 1n, -(2n ** 256n)];

it("writes any numbers that contracts return, or recognises no entity", async () => {
  const found = new Map<bigint, number>();
  let seqno = 1;
  for (const value of [...small, ...large, ...huge]) {
    for (const codeHash of Object.values(codes)) {
      const state = { address: self, code: emptyCell, codeHash, data: emptyCell, methods: undefined };
      const entities = await detect(state, new FakeCaller(answersWith(value)));
      const dated = { codeHash, dataHash: emptyCell.hash(), lastTransLt: BigInt(seqno) };
      const rows = makeEntityRows(seqno, [{ address: self, ...dated, entities }]);
      await commitBatch(database, batchOf(seqno, {}, rows), { firstSeqno: 1 });
      found.set(value, (found.get(value) ?? 0) + entities.length);
      seqno++;
    }
  }
  // Entities without small numbers are found with any number.
  for (const value of huge) expect(found.get(value)).toBe(3 * 4 + 1);
  for (const value of small) expect(found.get(value)).toBe(3 * 9 + 2);
});
