import { contract } from "../../kit/contract.ts";

export const multisigV2 = contract({
  name: "multisig_v2",
  codes: ["09FNqaYn8Ow1MzQYKXYq+SuVQLIb8DZl+sCcK0bqu6w="],
  methods: ["get_multisig_data", "get_order_address"],
});

export const multisigOrderV2 = contract({
  name: "multisig_order_v2",
  codes: ["oB4Ff71CiEArmJjXjWe9TpAlTJPFhmh5vC0dEoZUNrw="],
  methods: ["get_order_data"],
});
