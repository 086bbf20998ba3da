import { contract } from "../../kit/contract.ts";

export const megatonfiRouter = contract({
  name: "megatonfi_router",
  methods: ["get_mining_data", "get_lp_data"],
});

export const megatonfiExchange = contract({
  name: "megatonfi_exchange",
  methods: ["get_lp_swap_data", "get_lp_mining_data"],
});
