import { declareFamily } from "../../engine/declareFamily.ts";
import { paymentChannel } from "./interfaces.ts";
import { channelsBodies } from "./messages.ts";

/** Payment channels. */
export const family = declareFamily({ bodies: channelsBodies, interfaces: [paymentChannel] });
