import { declareFamily } from "../../kit/declareFamily.ts";
import { invoicesBodies } from "./messages.ts";

/** Payloads of invoices. */
export const family = declareFamily({
  bodies: invoicesBodies,
});
