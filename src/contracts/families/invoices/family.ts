import { declareFamily } from "../../engine/declareFamily.ts";
import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
const invoicesBodies: readonly Body<unknown>[] = bareOpcodes({
  invoice_payload: 0x7aa23eb5,
  invoice_payload_forward_payload: 0x7aa23eb5,
});

/** Payloads of invoices. */
export const family = declareFamily({ bodies: invoicesBodies });
