import fc from "fast-check";
import { type Builder, beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { hexKey, uintKey } from "../../../src/cell/keys.ts";
import type { Address } from "../../../src/model/Address.ts";
import { internalAddress } from "../../../src/model/messageAddress.ts";
import {
  anyAddress,
  anyBig,
  anyCell,
  anyCoins,
  anyHash,
  anyUint,
  anyUint32,
  anyUint64,
  orAbsent,
} from "./modelValues.ts";

/* Data cells of known contracts, as written by their own sources. */

function storeAddress(builder: Builder, address: Address | undefined): Builder {
  if (address === undefined) return builder.storeUint(0, 2);
  internalAddress.store(builder, address);
  return builder;
}

/** A dictionary of `count` random addresses by index. */
function membersOf(count: number): fc.Arbitrary<Cell> {
  return fc.array(anyAddress, { minLength: count, maxLength: count }).map(
    (all) =>
      makeDictionary(
        uintKey(8),
        internalAddress,
        all.map((member, i) => [i, member]),
      ).root ?? emptyCell,
  );
}

const anyMembers = fc.integer({ min: 1, max: 8 }).chain(membersOf);

const empty = { load: () => undefined, store: () => undefined };

const anyWhitelist: fc.Arbitrary<Cell | undefined> = fc.uniqueArray(anyHash, { maxLength: 5 }).map(
  (accounts) =>
    makeDictionary(
      hexKey(264),
      empty,
      accounts.map((account, i) => [i % 2 ? `ff${account}` : `00${account}`, undefined]),
    ).root,
);

const parties = fc.tuple(anyCoins, anyAddress, anyAddress);

/** Random data of each layout, by the layout's name. */
export const contractData = {
  jettonMinter: fc
    .tuple(anyCoins, orAbsent(anyAddress), anyCell, anyCell)
    .map(([supply, admin, content, code]) =>
      storeAddress(beginCell().storeCoins(supply), admin).storeRef(content).storeRef(code).cell(),
    ),
  jettonWalletWithCode: fc.tuple(parties, anyCell).map(([[balance, owner, jetton], code]) =>
    storeAddress(storeAddress(beginCell().storeCoins(balance), owner), jetton)
      .storeRef(code)
      .cell(),
  ),
  jettonWalletWithStatus: fc
    .tuple(anyUint(4), parties)
    .map(([status, [balance, owner, jetton]]) =>
      storeAddress(storeAddress(beginCell().storeUint(status, 4).storeCoins(balance), owner), jetton).cell(),
    ),
  jettonWalletBare: parties.map(([balance, owner, jetton]) =>
    storeAddress(storeAddress(beginCell().storeCoins(balance), owner), jetton).cell(),
  ),
  jettonWalletMintless: fc
    .tuple(anyUint(4), parties, anyHash, anyUint(10))
    .map(([status, [balance, owner, jetton], root, salt]) =>
      storeAddress(storeAddress(beginCell().storeUint(status, 4).storeCoins(balance), owner), jetton)
        .storeHex(root)
        .storeUint(salt, 10)
        .cell(),
    ),
  nftItem: fc
    .tuple(anyUint64, orAbsent(anyAddress), orAbsent(anyAddress), anyCell)
    .map(([index, collection, owner, content]) =>
      storeAddress(storeAddress(beginCell().storeBigUint(index, 64), collection), owner)
        .storeRef(content)
        .cell(),
    ),
  nftItemEditable: fc
    .tuple(anyUint64, orAbsent(anyAddress), orAbsent(anyAddress), anyCell, orAbsent(anyAddress))
    .map(([index, collection, owner, content, editor]) =>
      storeAddress(
        storeAddress(storeAddress(beginCell().storeBigUint(index, 64), collection), owner).storeRef(content),
        editor,
      ).cell(),
    ),
  jettonMinterWithNextAdmin: fc
    .tuple(anyCoins, orAbsent(anyAddress), orAbsent(anyAddress), anyCell, anyCell)
    .map(([supply, admin, next, code, uri]) =>
      storeAddress(storeAddress(beginCell().storeCoins(supply), admin), next)
        .storeRef(code)
        .storeRef(uri)
        .cell(),
    ),
  nftCollection: fc
    .tuple(orAbsent(anyAddress), anyUint64, fc.uint8Array({ maxLength: 100 }), anyCell, anyCell)
    .map(([owner, next, common, itemCode, royalty]) => {
      const contents = beginCell().storeRef(royalty).storeRef(beginCell().storeBytes(common).cell());
      const start = storeAddress(beginCell(), owner).storeBigUint(next, 64).storeRef(contents.cell());
      return start.storeRef(itemCode).storeRef(royalty).cell();
    }),
  multisig: fc
    .tuple(fc.integer({ min: 1, max: 8 }), fc.constantFrom(0, 0, 0, 1))
    .chain(([count, more]) =>
      fc.tuple(
        anyBig(256),
        fc.nat(count + more),
        membersOf(count),
        orAbsent(anyMembers),
        fc.boolean(),
        fc.constant(count + more),
      ),
    )
    .map(([seqno, threshold, signers, proposers, arbitrary, count]) =>
      beginCell()
        .storeBigUint(seqno, 256)
        .storeUint(threshold, 8)
        .storeRef(signers)
        .storeUint(count, 8)
        .storeMaybeRef(proposers)
        .storeBit(arbitrary)
        .cell(),
    ),
  multisigOrder: fc
    .tuple(
      fc.tuple(anyAddress, anyBig(256), anyUint(8), fc.boolean()),
      anyMembers,
      anyBig(256),
      anyUint(8),
      anyUint(48),
      anyCell,
    )
    .map(([[multisig, seqno, threshold, sent], signers, mask, count, expires, order]) =>
      storeAddress(beginCell(), multisig)
        .storeBigUint(seqno, 256)
        .storeUint(threshold, 8)
        .storeBit(sent)
        .storeRef(signers)
        .storeBigUint(mask, 256)
        .storeUint(count, 8)
        .storeUint(expires, 48)
        .storeRef(order)
        .cell(),
    ),
  vesting: fc
    .tuple(
      fc.tuple(anyUint32, anyUint32, anyHash),
      anyWhitelist,
      fc.tuple(anyUint(40), anyUint32, anyUint32, anyUint32),
      parties,
    )
    .map(([[seqno, id, key], whitelist, [start, total, unlock, cliff], [amount, sender, owner]]) => {
      const terms = beginCell().storeUint(0, 24).storeUint(start, 40).storeUint(total, 32).storeUint(unlock, 32);
      return beginCell()
        .storeUint(seqno, 32)
        .storeUint(id, 32)
        .storeHex(key)
        .storeMaybeRef(whitelist)
        .storeRef(storeAddress(storeAddress(terms.storeUint(cliff, 32).storeCoins(amount), sender), owner).cell())
        .cell();
    }),
} satisfies Readonly<Record<string, fc.Arbitrary<Cell>>>;
