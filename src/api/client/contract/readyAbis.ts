import * as elections from "../../../contracts/families/elections/contracts.ts";
import * as jettons from "../../../contracts/families/jetton/interfaces.ts";
import * as multisigs from "../../../contracts/families/multisig/wallet.ts";
import * as nfts from "../../../contracts/families/nft/interfaces.ts";
import * as pools from "../../../contracts/families/nominators/interfaces.ts";
import * as vestings from "../../../contracts/families/vesting/contract.ts";
import * as wallets from "../../../contracts/families/wallet/interfaces.ts";

/*
 * ABIs of usual contracts, for `client.contract()`. Clients must not load the declarations: the build puts the values
 * in the place of this module, each a constant of its own.
 */

export const jettonMaster = jettons.jettonMasterInterface.abi;
export const jettonWallet = jettons.jettonWalletInterface.abi;

export const nftCollection = nfts.nftCollectionInterface.abi;
export const nftItem = nfts.nftItemInterface.abi;

export const walletV3r2 = wallets.walletV3r2.abi;
export const walletV4r2 = wallets.walletV4r2.abi;
export const walletV5r1 = wallets.walletV5r1.abi;
export const walletHighloadV2 = wallets.walletHighloadV2.abi;
export const walletHighloadV3r1 = wallets.walletHighloadV3r1.abi;

export const multisig = multisigs.multisigV2.abi;
export const multisigOrder = multisigs.multisigOrderV2.abi;
export const vestingWallet = vestings.walletVesting.abi;
export const nominatorPool = pools.tvPool.abi;

export const elector = elections.electorContract.abi;
export const configuration = elections.configContract.abi;
