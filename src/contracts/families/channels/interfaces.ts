import { contract } from "../../kit/contract.ts";

export const paymentChannel = contract({
  name: "payment_channel",
  methods: ["get_channel_data"],
});
