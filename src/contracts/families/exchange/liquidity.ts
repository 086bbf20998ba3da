import type { Address } from "../../../model/Address.ts";
import { details } from "../../engine/details.ts";
import { kind, type NodeKind } from "../../engine/kind.ts";

export type LiquidityDex = "stonfi_v2" | "dedust" | "tonco" | "coffee";

/** One side of a deposit into or withdrawal from a pool; no asset means TON. */
export interface Side {
  readonly asset: Address | undefined;
  readonly amount: bigint | undefined;
  readonly wallet: Address | undefined;
}

export interface AssetAmount {
  readonly asset: Address | undefined;
  readonly amount: bigint | undefined;
}

export interface LiquidityDeposit {
  readonly sender: Address | undefined;
  readonly pool: Address | undefined;
  /** The contract that collects both sides, if the exchange has one. */
  readonly depositContract?: Address | undefined;
  readonly first: Side;
  readonly second?: Side | undefined;
  readonly lpMinted?: bigint | undefined;
  /** The target amounts of the pool. */
  readonly targets?: readonly [AssetAmount, AssetAmount] | undefined;
  readonly excesses?: readonly AssetAmount[];
  readonly tickLower?: bigint | undefined;
  readonly tickUpper?: bigint | undefined;
  readonly nftIndex?: bigint | undefined;
  readonly nft?: Address | undefined;
  readonly senderWallet?: Address | undefined;
}

const excessDetails = details<AssetAmount>((f) => ({
  asset: f.address((e) => e.asset),
  amount: f.amount((e) => e.amount),
}));

/** The destination of the liquidity differs: at one exchange it is the contract that collects it. */
function destinationOf(dex: LiquidityDex, { depositContract, pool }: LiquidityDeposit): Address | undefined {
  return dex === "dedust" ? depositContract : pool;
}

export function liquidityDeposit(dex: LiquidityDex, name: string): NodeKind<LiquidityDeposit> {
  return kind<LiquidityDeposit>({
    type: "dex_deposit_liquidity",
    name,
    parties: (d) => ({
      source: d.sender,
      sourceSecondary: d.senderWallet,
      destination: d.pool,
      destinationSecondary: d.depositContract,
    }),
    details: (f) => ({
      dex: f.fixed(dex),
      amount_1: f.amount((d) => d.first.amount),
      amount_2: f.amount((d) => d.second?.amount),
      asset_1: f.address((d) => d.first.asset),
      asset_2: f.address((d) => d.second?.asset),
      user_jetton_wallet_1: f.address((d) => d.first.wallet),
      user_jetton_wallet_2: f.address((d) => d.second?.wallet),
      source: f.address((d) => d.sender),
      pool: f.address((d) => d.pool),
      destination_liquidity: f.address((d) => destinationOf(dex, d)),
      lp_tokens_minted: f.amount((d) => d.lpMinted),
      target_asset_1: f.address((d) => d.targets?.[0].asset),
      target_asset_2: f.address((d) => d.targets?.[1].asset),
      target_amount_1: f.amount((d) => d.targets?.[0].amount),
      target_amount_2: f.amount((d) => d.targets?.[1].amount),
      vault_excesses: f.list(excessDetails, (d) => d.excesses ?? []),
      tick_lower: f.amount((d) => d.tickLower),
      tick_upper: f.amount((d) => d.tickUpper),
      nft_index: f.amount((d) => d.nftIndex),
      nft_address: f.address((d) => d.nft),
    }),
  });
}

export interface LiquidityWithdrawal {
  readonly sender: Address | undefined;
  readonly senderWallet: Address | undefined;
  readonly pool: Address | undefined;
  readonly first: Side | undefined;
  readonly second: Side | undefined;
  readonly lpBurnt: bigint | undefined;
  readonly nftIndex?: bigint | undefined;
  readonly nft?: Address | undefined;
  readonly tickLower?: bigint | undefined;
  readonly tickUpper?: bigint | undefined;
}

export function liquidityWithdrawal(dex: LiquidityDex, name: string): NodeKind<LiquidityWithdrawal> {
  return kind<LiquidityWithdrawal>({
    type: "dex_withdraw_liquidity",
    name,
    parties: (w) => ({ source: w.sender, sourceSecondary: w.senderWallet, destination: w.pool }),
    details: (f) => ({
      dex: f.fixed(dex),
      amount_1: f.amount((w) => w.first?.amount),
      amount_2: f.amount((w) => w.second?.amount),
      asset_1: f.address((w) => w.first?.asset),
      asset_2: f.address((w) => w.second?.asset),
      user_jetton_wallet_1: f.address((w) => w.first?.wallet),
      user_jetton_wallet_2: f.address((w) => w.second?.wallet),
      lp_tokens_burnt: f.amount((w) => w.lpBurnt),
      is_refund: f.none(),
      source: f.address((w) => w.sender),
      pool: f.address((w) => w.pool),
      destination_liquidity: f.address((w) => w.pool),
      burnt_nft_index: f.amount((w) => w.nftIndex),
      burnt_nft_address: f.address((w) => w.nft),
      tick_lower: f.amount((w) => w.tickLower),
      tick_upper: f.amount((w) => w.tickUpper),
    }),
  });
}
