import { address, partyAddress } from "../../kit/addressFields.ts";
import { type Body, body, group, named } from "../../kit/declare.ts";
import {
  bigInt,
  bigUint,
  bool,
  cellRef,
  int,
  maybeRef,
  maybeRefTo,
  queryId,
  ref,
  uint16,
  uint32,
  uint64,
  uint256,
  vcoins,
} from "../../kit/fields.ts";
import { queryBody } from "../../kit/queryBody.ts";

const uint128 = bigUint(128);
const uint160 = bigUint(160);
const int256 = bigInt(256);
const ticks = { tickLower: int(24), tickUpper: int(24) };

export const toncoPoolSwap = queryBody("tonco_pool_swap", 0xa7fb58f8, {
  ownerAddress: address,
  sourceWallet: partyAddress,
  swapParams: ref(
    group({
      amount: vcoins,
      sqrtPriceLimitX96: named("sqrtPriceLimitX96", uint160),
      minOutAmount: named("minOutAmount", vcoins),
    }),
  ),
  swapPayloads: ref(
    group({
      targetAddress: address,
      okForwardAmount: vcoins,
      okForwardPayload: maybeRef,
      retForwardAmount: vcoins,
      retForwardPayload: maybeRef,
    }),
  ),
});

const payTo = {
  queryId,
  receiver0: named("reciever0", address),
  receiver1: named("reciever1", address),
  exitCode: uint32,
  seqno: uint64,
};
const coinsInfo = { amount0: vcoins, jetton0Address: address, amount1: vcoins, jetton1Address: address };
export const toncoRouterPayToNormal = body("tonco_router_pay_to_normal", 0xa1daa96d, {
  ...payTo,
  coinsInfo: named(
    "coinsinfo_cell",
    maybeRefTo(
      group({
        ...coinsInfo,
        payloadCell: ref(
          group({
            payloadAmount0: vcoins,
            payload0: named("payload_0", maybeRef),
            payloadAmount1: vcoins,
            payload1: named("payload_1", maybeRef),
          }),
        ),
      }),
    ),
  ),
  indexerSwapInfoCell: maybeRefTo(
    group({
      liquidity: uint128,
      priceSqrt: uint160,
      tick: int(24),
      feeGrowthGlobal0x128: named("fee_growth_global_0x128", int256),
      feeGrowthGlobal1x128: named("fee_growth_global_1x128", int256),
    }),
  ),
});
export const toncoRouterPayToExitCode201 = body("tonco_router_pay_to_exit_code_201", 0xa1daa96d, {
  ...payTo,
  coinsInfo: named("coinsinfo_cell", maybeRefTo(group(coinsInfo))),
  indexerBurnInfoCell: maybeRefTo(group({ nftIndex: uint64, liquidityBurned: uint128, ...ticks, tickBurn: int(24) })),
});

const amounts = { amount0: vcoins, amount1: vcoins, enough0: vcoins, enough1: vcoins };
export const toncoPoolMint = queryBody("tonco_pool_mint", 0xb2c1b6e3, {
  ownerAddress: address,
  ...amounts,
  liquidity: uint128,
  ...ticks,
});
export const toncoPoolMintAndRefund = queryBody("tonco_pool_mint_and_refund", 0x81702ef8, {
  amount0Funded: vcoins,
  amount1Funded: vcoins,
  recipient: address,
  liquidity: uint128,
  ...ticks,
});
export const toncoPoolFundAccount = queryBody("tonco_pool_fund_account", 0x4468de77, {
  ownerAddress: address,
  ...amounts,
  liquidity: uint128,
  ...ticks,
});
const toncoPoolFundAccountPayload = body("tonco_pool_fund_account_payload", 0x4468de77, {
  otherJettonWallet: address,
  amount0: vcoins,
  amount1: vcoins,
  liquidity: uint128,
  ...ticks,
});
export const toncoAccountAddLiquidity = queryBody("tonco_account_add_liquidity", 0x3ebe5431, {
  newAmount0: vcoins,
  newAmount1: vcoins,
  newEnough0: vcoins,
  newEnough1: vcoins,
  liquidity: uint128,
  ...ticks,
});

const oldFees = {
  feeGrowthInside0Last: named("fee_growth_inside_0_last_x128", uint256),
  feeGrowthInside1Last: named("fee_growth_inside_1_last_x128", uint256),
};
export const toncoPositionNftInit = queryBody("tonco_position_nft_init", 0xd5ecca2a, {
  userAddress: address,
  liquidity: uint128,
  ...ticks,
  oldFeeCell: ref(group({ ...oldFees, nftIndex: uint64, jetton0Amount: vcoins, jetton1Amount: vcoins, tick: int(24) })),
});
export const toncoPositionNftBurn = queryBody("tonco_position_nft_burn", 0x46ca335a, {
  nftOwner: address,
  liquidityToBurn: uint128,
  ...ticks,
  oldFeeCell: ref(group(oldFees)),
});
export const toncoPoolStartBurn = queryBody("tonco_pool_start_burn", 0x530b5f2c, {
  burnedIndex: uint64,
  liquidityToBurn: uint128,
  ...ticks,
});
export const toncoPoolBurn = queryBody("tonco_pool_burn", 0xd73ac09d, {
  recipient: address,
  burnedIndex: uint64,
  liquidity: uint128,
  ...ticks,
  liquidityToBurn: uint128,
  oldFeeCell: ref(group(oldFees)),
  newFeeCell: ref(
    group({
      feeGrowthInside0Current: named("fee_growth_inside_0_current_x128", uint256),
      feeGrowthInside1Current: named("fee_growth_inside_1_current_x128", uint256),
    }),
  ),
});

const fees = { protocolFee: uint16, lpFeeBase: uint16, lpFeeCurrent: uint16 };
const contents = { nftv3Content: cellRef, nftv3itemContent: cellRef };
export const toncoRouterCreatePool = queryBody("tonco_router_create_pool", 0x2e3034ef, {
  jettonWallet0: address,
  jettonWallet1: address,
  tickSpacing: int(24),
  initialPriceX96: uint160,
  ...fees,
  ...contents,
  minterCell: ref(group({ jetton0Minter: address, jetton1Minter: address, controllerAddr: address })),
});
export const toncoPoolInit = queryBody("tonco_pool_init", 0x441c39ed, {
  fromAdmin: bool,
  hasAdmin: bool,
  adminAddress: address,
  hasController: bool,
  controllerAddress: address,
  setSpacing: bool,
  tickSpacing: int(24),
  setPrice: bool,
  initialPriceX96: uint160,
  setActive: bool,
  poolActive: bool,
  ...fees,
  ...contents,
  minterCell: maybeRefTo(group({ jetton0Minter: address, jetton1Minter: address })),
});
export const toncoPoolSetFee = queryBody("tonco_pool_set_fee", 0x6bdcbeb8, { ...fees });
export const toncoPoolLock = queryBody("tonco_pool_lock", 0xb1b0b7e2);
export const toncoPoolUnlock = queryBody("tonco_pool_unlock", 0x4e737e4d);
export const toncoAccountRefundMe = queryBody("tonco_account_refund_me", 0x0bf3f447);
export const toncoResetGas = queryBody("tonco_reset_gas", 0x42a0fb43);

/** In the order they are tried. */
export const toncoBodies: readonly Body<unknown>[] = [
  toncoPoolSwap,
  toncoRouterPayToNormal,
  toncoRouterPayToExitCode201,
  toncoPoolMint,
  toncoPoolMintAndRefund,
  toncoPoolFundAccount,
  toncoPoolFundAccountPayload,
  toncoAccountAddLiquidity,
  toncoPositionNftInit,
  toncoPositionNftBurn,
  toncoPoolStartBurn,
  toncoPoolBurn,
  toncoRouterCreatePool,
  toncoPoolInit,
  toncoPoolSetFee,
  toncoPoolLock,
  toncoPoolUnlock,
  toncoAccountRefundMe,
  toncoResetGas,
];
