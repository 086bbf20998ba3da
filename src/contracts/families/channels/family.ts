import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const channelsBodies: readonly Body<unknown>[] = bareOpcodes({
  challenge_quarantined_channel_state: 0x088eaa32,
  init_payment_channel: 0x0e0620c2,
  start_uncooperative_channel_close: 0x1f151acf,
  finish_uncooperative_channel_close: 0x25432a91,
  channel_cooperative_close: 0x5577587e,
  settle_channel_conditionals: 0x66f6f069,
  top_up_channel_balance: 0x67c7d281,
  channel_cooperative_commit: 0x79a126ef,
  channel_closed: 0xdddc88ba,
});

const paymentChannel = contract({
  name: "payment_channel",
  methods: ["get_channel_data"],
});

/** Payment channels. */
export const family = declareFamily({ bodies: channelsBodies, interfaces: [paymentChannel] });
