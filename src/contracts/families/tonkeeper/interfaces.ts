import { contract } from "../../kit/contract.ts";

export const tonkeeper2fa = contract({
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
