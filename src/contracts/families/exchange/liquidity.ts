import type { Address } from "../../../model/Address.ts";
import { type DetailFieldMakers, details } from "../../engine/details.ts";
import { between, kind, type NodeKind } from "../../engine/kind.ts";

export type LiquidityDex = "stonfi_v2" | "dedust" | "dedust_v2" | "tonco" | "coffee";

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
  /** Which of the sides this one brought, where a deposit comes in two parts. */
  readonly given?: 1 | 2;
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
  asset: f.address("Address of the jetton's master; null for coins.", (e) => e.asset),
  amount: f.amount("Amount in the smallest units of the asset.", (e) => e.amount),
}));

/** The destination of the liquidity differs: at DeDust it is the contract that collects it. */
function destinationOf(dex: LiquidityDex, { depositContract, pool }: LiquidityDeposit): Address | undefined {
  return dex === "dedust" || dex === "dedust_v2" ? depositContract : pool;
}

/** What a change of a position has of both assets, and the price range of the position. */
interface PositionChange {
  readonly first: Side | undefined;
  readonly second?: Side | undefined;
  readonly tickLower?: bigint | undefined;
  readonly tickUpper?: bigint | undefined;
}

function sideFields<T extends PositionChange>(f: DetailFieldMakers<T>) {
  return {
    amount_1: f.amount("Amount of the first asset, in its smallest units.", (c) => c.first?.amount),
    amount_2: f.amount("Amount of the second asset, in its smallest units.", (c) => c.second?.amount),
    asset_1: f.address("First asset: the address of a jetton's master, null for coins.", (c) => c.first?.asset),
    asset_2: f.address("Second asset: the address of a jetton's master, null for coins.", (c) => c.second?.asset),
    user_jetton_wallet_1: f.address("User's wallet of the first jetton.", (c) => c.first?.wallet),
    user_jetton_wallet_2: f.address("User's wallet of the second jetton.", (c) => c.second?.wallet),
  };
}

function rangeFields<T extends PositionChange>(f: DetailFieldMakers<T>) {
  return {
    tick_lower: f.amount("Lower end of the price range, as a tick; null for pools without ranges.", (c) => c.tickLower),
    tick_upper: f.amount("Upper end of the price range, as a tick; null for pools without ranges.", (c) => c.tickUpper),
  };
}

function liquidityDeposit(dex: LiquidityDex, name: string): NodeKind<LiquidityDeposit> {
  return kind<LiquidityDeposit>({
    type: "dex_deposit_liquidity",
    name,
    parties: (d) => between([d.sender, d.senderWallet], [d.pool, d.depositContract]),
    details: (f) => ({
      dex: f.fixed("Name of the exchange, such as `dedust`.", dex),
      ...sideFields(f),
      source: f.address("Address of the sender.", (d) => d.sender),
      pool: f.address("Address of the pool.", (d) => d.pool),
      destination_liquidity: f.address("Address of the wallet of the liquidity tokens.", (d) => destinationOf(dex, d)),
      lp_tokens_minted: f.amount("Amount of minted liquidity tokens, in their smallest units.", (d) => d.lpMinted),
      target_asset_1: f.address("First asset that the user wants to add.", (d) => d.targets?.[0].asset),
      target_asset_2: f.address("Second asset that the user wants to add.", (d) => d.targets?.[1].asset),
      target_amount_1: f.amount(
        "Amount of the first asset that the user wants to add, in its smallest units.",
        (d) => d.targets?.[0].amount,
      ),
      target_amount_2: f.amount(
        "Amount of the second asset that the user wants to add, in its smallest units.",
        (d) => d.targets?.[1].amount,
      ),
      vault_excesses: f.list("Amounts that the vaults return, by asset.", excessDetails, (d) => d.excesses ?? []),
      ...rangeFields(f),
      nft_index: f.amount("Number of the item within its collection, in decimal.", (d) => d.nftIndex),
      nft_address: f.address("Address of the item.", (d) => d.nft),
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

function liquidityWithdrawal(dex: LiquidityDex, name: string): NodeKind<LiquidityWithdrawal> {
  return kind<LiquidityWithdrawal>({
    type: "dex_withdraw_liquidity",
    name,
    parties: (w) => ({ source: w.sender, sourceSecondary: w.senderWallet, destination: w.pool }),
    details: (f) => ({
      dex: f.fixed("Name of the exchange, such as `dedust`.", dex),
      ...sideFields(f),
      lp_tokens_burnt: f.amount("Amount of burnt liquidity tokens, in their smallest units.", (w) => w.lpBurnt),
      is_refund: f.none("Always null: refunds are actions of their own."),
      source: f.address("Address of the sender.", (w) => w.sender),
      pool: f.address("Address of the pool.", (w) => w.pool),
      destination_liquidity: f.address("Address of the wallet of the liquidity tokens.", (w) => w.pool),
      burnt_nft_index: f.amount("Number of the burnt item.", (w) => w.nftIndex),
      burnt_nft_address: f.address("Item of the position that was burnt.", (w) => w.nft),
      ...rangeFields(f),
    }),
  });
}

/** Names of the nodes of an exchange, which the rules of its family tell apart. */
interface LiquidityNames {
  readonly deposit: string;
  readonly withdrawal?: string;
}

/** The actions of liquidity that an exchange has; `partial` is a deposit that waits for its other side. */
export function liquidityActions(dex: LiquidityDex, names: LiquidityNames) {
  const { deposit, withdrawal = "dex_withdraw_liquidity" } = names;
  return {
    deposit: liquidityDeposit(dex, deposit),
    partial: liquidityDeposit(dex, `${deposit}_partial`),
    withdrawal: liquidityWithdrawal(dex, withdrawal),
  };
}
