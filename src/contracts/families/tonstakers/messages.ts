import { address, partyAddress } from "../../kit/addressFields.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";
import { coins, rest, uint64 } from "../../kit/fields.ts";
import { queryBodies, quietQueryBody } from "../../kit/queryBody.ts";

const queries = queryBodies({
  tonstakePoolDeposit: [0x47d54391, { referral: rest }],
  tonstakePoolWithdraw: [0x319b0cdc, { jettonAmount: coins, fromAddress: address, responseAddress: address }],
  tonstakePoolWithdrawal: [0x0a77535c],
  tonstakePayoutMintJettons: [0x1674b0a0, { destination: address, amount: coins, notification: coins, forward: coins }],
  tonstakeNftInit: [0x132f9a45, { owner: address, amount: coins, prev: address, next: address }],
  tonstakeNftBurn: [0xf127fe4e],
  tonstakeNftBurnNotification: [0xed58b0b2, { amount: coins, owner: address, index: uint64 }],
  tonstakeNftPayout: [0xdb3b8abd],
  tonstakePoolTouch: [0x4bc7c2df],
  tonstakePoolLoanRepayment: [0xdfdca27b],
});
export const {
  tonstakePoolDeposit,
  tonstakePoolWithdraw,
  tonstakePoolWithdrawal,
  tonstakePayoutMintJettons,
  tonstakeNftInit,
  tonstakeNftBurn,
  tonstakeNftPayout,
} = queries;

/** Without the index, which the service does not read. */
export const tonstakeNftBurnShort = quietQueryBody("tonstake_nft_burn_notification", 0xed58b0b2, {
  amount: coins,
  owner: partyAddress,
});

/** Known by name only. */
const bare = bareOpcodes({
  tonstake_controller_pool_halt: 0x139a1b4e,
  tonstake_controller_pool_send_message: 0x270695fb,
  tonstake_pool_set_governance_fee: 0x2aaa96a0,
  tonstake_controller_validator_withdrawal: 0x30026327,
  tonstake_imanager_operation_fee: 0x54d37487,
  tonstake_controller_return_available_funds: 0x55c26cd5,
  tonstake_pool_set_roles: 0x5e517f36,
  tonstake_controller_send_request_loan: 0x6335b11a,
  tonstake_controller_pool_unhalt: 0x7247e7a5,
  tonstake_controller_pool_set_sudoer: 0x79e7c016,
  tonstake_controller_withdraw_validator: 0x8efed779,
  tonstake_controller_pool_upgrade: 0x96e7f528,
  tonstake_pool_prepare_governance_migration: 0x9971881c,
  tonstake_pool_set_deposit_settings: 0x9bf5561c,
  tonstake_imanager_request_notification: 0xb1ebae06,
  tonstake_pool_deploy_controller: 0xb27edcad,
  tonstake_imanager_stats: 0xc1344900,
  tonstake_imanager_set_interest: 0xc9f04485,
  tonstake_controller_new_stake: 0xe0505d0e,
  tonstake_pool_request_loan: 0xe642c965,
  tonstake_controller_recover_stake: 0xeb373a05,
  tonstake_controller_return_unused_loan: 0xed7378a6,
  tonstake_controller_update_validator_hash: 0xf0fd2250,
});

/** In the order they are tried. */
export const tonstakersBodies: readonly Body<unknown>[] = [...Object.values(queries), ...bare];
