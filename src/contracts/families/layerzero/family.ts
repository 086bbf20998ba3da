import { declareFamily } from "../../engine/declareFamily.ts";
import {
  layerzeroCommitMatcher,
  layerzeroReceiveMatcher,
  layerzeroSendMatcher,
  layerzeroSendTokensMatcher,
  layerzeroVerifyMatcher,
} from "./actions.ts";

const types = [
  "layerzero_send",
  "layerzero_send_tokens",
  "layerzero_receive",
  "layerzero_commit_packet",
  "layerzero_dvn_verify",
];

/** LayerZero messaging. */
export const family = declareFamily({
  matchers: {
    send: layerzeroSendMatcher,
    sendTokens: layerzeroSendTokensMatcher,
    receive: layerzeroReceiveMatcher,
    commit: layerzeroCommitMatcher,
    verify: layerzeroVerifyMatcher,
  },
  types: { v3: types, sets: { layerzero: types } },
});
