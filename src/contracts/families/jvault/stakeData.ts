import type { Cell } from "../../../cell/Cell.ts";
import { rest } from "../../../cell/codec.ts";
import { Dictionary } from "../../../cell/dictionary.ts";
import { bigUintKey } from "../../../cell/keys.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import { type Address, makeAddress } from "../../../model/Address.ts";
import type { TraceMessage } from "../../../model/Trace.ts";
import type { NamingFacts, NeededFacts } from "../../engine/declareFamily.ts";
import type { Facts } from "../../engine/Facts.ts";
import { address } from "../../kit/addressFields.ts";
import { refusable } from "../../kit/entity.ts";
import { jvaultUnstakeJettonsShort, jvaultUnstakeRequestBody } from "./messages.ts";

/** The stake of a stake wallet. */
export interface StakeAssets {
  readonly pool: Address | undefined;
  /** The staked jetton. */
  readonly asset: Address | undefined;
  /** The jetton of the stake itself. */
  readonly stakingAsset: Address | undefined;
}

/** The accounts whose data describe a stake wallet: its own names the pool, the pool's the locked jettons. */
export function findStakeAssets(stakeWallet: Address, facts: Facts): StakeAssets | undefined {
  const data = facts.findData(stakeWallet);
  if (data === undefined) return undefined;
  return refusable(() => {
    const { pool, minter } = readStakeWallet(data);
    const poolData = pool === undefined ? undefined : facts.findData(pool);
    if (poolData === undefined) return { pool, asset: undefined, stakingAsset: minter };
    const lock = readLockWallet(poolData);
    const asset = lock === undefined ? undefined : facts.findJettonWallet(lock)?.jetton;
    // With the data of the pool the service knows either everything or nothing.
    return asset === undefined ? undefined : { pool, asset, stakingAsset: minter };
  });
}

const nothing: NeededFacts = { accounts: [], data: [] };

/** The data of the stake wallet names the pool, the data of the pool its jetton wallet. */
export function neededForStake({ body, destination }: TraceMessage, known: NamingFacts): NeededFacts {
  const opcode = body.isExotic || body.bitLength < 32 ? undefined : sliceOf(body).loadUint(32);
  const isUnstake = opcode === jvaultUnstakeJettonsShort.opcode || opcode === jvaultUnstakeRequestBody.opcode;
  if (!isUnstake || destination === undefined) return nothing;
  const wallet = known.findData(destination);
  const pool = wallet && refusable(() => readStakeWallet(wallet).pool);
  if (pool === undefined) return { accounts: [], data: [destination] };
  const poolData = known.findData(pool);
  const lock = poolData && refusable(() => readLockWallet(poolData));
  return { accounts: lock === undefined ? [] : [lock], data: [destination, pool] };
}

// pool:addr minter:addr …
function readStakeWallet(data: Cell) {
  const slice = sliceOf(data);
  const pool = address.load(slice);
  return { pool, minter: address.load(slice) };
}

// inited:uint1 id:uint32 admin:addr creator:addr lock_wallet:addr …
function readLockWallet(data: Cell): Address | undefined {
  const slice = sliceOf(data).skip(33);
  address.load(slice);
  address.load(slice);
  return address.load(slice);
}

/** A standard address with its tag, as a key. */
const addressKey = bigUintKey(267);
const maxJettons = 255;

export function listJettons(root: Cell | undefined): Address[] {
  const keys = new Dictionary(root, addressKey, rest).keys({ limit: maxJettons });
  return keys.map((key) => {
    const account = (key & ((1n << 256n) - 1n)).toString(16).padStart(64, "0");
    return makeAddress(Number(BigInt.asIntN(8, key >> 256n)), account);
  });
}
