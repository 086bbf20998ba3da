import { contract } from "../../kit/contract.ts";
import { walletSignedV3 } from "../wallet/messages.ts";
import * as parts from "../wallet/parts.ts";
import * as vesting from "./messages.ts";

export const walletVesting = contract({
  name: "wallet_vesting",
  codes: ["tItTGr7DtxRjgpH3137W3J9qJynvyiBHcTc3TUrotZA="],
  methods: [parts.seqno, parts.getPublicKey, parts.getVestingData],
  furtherMethods: [parts.getSubwalletId, parts.getLockedAmount, parts.isWhitelisted, parts.getWhitelist],
  receives: [walletSignedV3, vesting.vestingSendMessageBody, vesting.vestingAddWhiteList],
  sends: [vesting.vestingSendMessageResponse, vesting.vestingAddWhiteListResponse],
  storage: [parts.vestingData],
  errors: parts.signedErrors,
});
