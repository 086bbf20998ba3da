import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const tonkeeperBodies: readonly Body<unknown>[] = bareOpcodes({
  tonkeeper_2fa_signed: 0x53684037,
  tonkeeper_relayer_fee_forward_payload: 0x878da6e3,
});

const tonkeeper2fa = contract({
  name: "tonkeeper_2fa",
  codes: ["xe8Z3yKu6LcHvXoYEXTkAKQiUiPFrkDYMg9d3XB9NKE="],
  methods: [
    "get_wallet_addr",
    "get_root_pubkey",
    "get_seed_pubkey",
    "get_delegation_state",
    "get_estimated_attached_value",
  ],
});

/** Two-factor plugins of Tonkeeper. */
export const family = declareFamily({ bodies: tonkeeperBodies, interfaces: [tonkeeper2fa] });
