import { beginCell } from "../../cell/Builder.ts";
import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { unit } from "../../cell/codec.ts";
import { dictionary, makeDictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { fromBase64 } from "../../lib/bytes.ts";
import { accountOf, workchainOf } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { coin } from "../../model/coins.ts";
import { zeroHash } from "../../model/Hash.ts";
import { systemCodes } from "../codes/systemCodes.ts";
import type { CompiledCode } from "../codes/walletCodes.ts";
import { type GenesisAccount, makeGenesis, plainInit } from "../genesis/genesis.ts";
import { electorAccount } from "../genesis/genesisConfig.ts";
import type { ZeroState } from "../ledger/Ledger.ts";
import type { NetworkKeys } from "../wallets/networkKeys.ts";
import type { Wallet } from "../wallets/Wallet.ts";

export interface NetworkOptions {
  readonly globalId: number;
  readonly bornAt: number;
  /** How often the basechain is split: 2 makes four shards. */
  readonly splitDepth: number;
  /** How often it may be split by load; not at all by default. */
  readonly maxSplitDepth?: number;
  readonly globalVersion: number;
}

export const walletBalance = 1_000_000n * coin;
export const giverBalance = 1_000_000_000n * coin;
const electorBalance = 1_000n * coin;
/** The fees that the elector may give as bonuses; the rest of its balance pays its storage. */
const electorFees = 900n * coin;

/** The zero states of a network: funded wallets, a giver, and the owner of the configuration. */
export function makeNetwork(keys: NetworkKeys, options: NetworkOptions): readonly ZeroState[] {
  const elector: GenesisAccount = {
    workchain: masterchain,
    account: electorAccount,
    balance: electorBalance,
    init: { ...plainInit(codeCell(systemCodes.elector), electorData()), special: { tick: true, tock: false } },
  };
  const funded = keys.wallets.map(({ wallet }) => walletAccount(wallet, walletBalance));
  return makeGenesis({
    ...options,
    validatorKey: keys.validator.publicKey,
    validatorAddress: keys.validator.adnlAddress,
    configCode: codeCell(systemCodes.config),
    configData: configData(keys),
    accounts: [elector, walletAccount(keys.giver, giverBalance), ...funded],
  });
}

// elect:(Maybe ^CurrentElection) credits:(HashmapE 256 Grams) past_elections:(HashmapE 32 PastElection) grams:Grams
//   active_id:uint32 active_hash:uint256
function electorData(): Cell {
  return beginCell().storeUint(0, 3).storeCoins(electorFees).storeUint(0, 32).storeHex(zeroHash).cell();
}

// seqno:uint32 owner:uint256 signers:(HashmapE 256 Unit)
function configData({ owner, validators }: NetworkKeys): Cell {
  const signers = makeDictionary(
    hashKey,
    unit,
    validators.map(({ publicKey }) => [publicKey, true]),
  );
  const content = beginCell().storeUint(0, 32).storeBytes(owner.publicKey);
  dictionary(hashKey, unit).store(content, signers);
  return content.cell();
}

function walletAccount({ address, init }: Wallet, balance: bigint): GenesisAccount {
  return { workchain: workchainOf(address), account: accountOf(address), balance, init };
}

function codeCell({ boc }: CompiledCode): Cell {
  return readRoot(fromBase64(boc));
}
