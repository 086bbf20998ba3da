import type { Codec } from "../../../cell/codec.ts";
import type { Address } from "../../../model/Address.ts";
import { internalAddress } from "../../../model/messageAddress.ts";
import { loadStandardAddress, someAddress } from "../../kit/stack.ts";

/** A standard address as the value of a dictionary. */
export const addressLeaf: Codec<Address> = {
  load: (slice) => someAddress(loadStandardAddress(slice)),
  store: internalAddress.store,
};
