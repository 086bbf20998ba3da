import { type Body, bareOpcodes } from "../../kit/declare.ts";

/** Known by name only. */
export const invoicesBodies: readonly Body<unknown>[] = bareOpcodes({
  invoice_payload: 0x7aa23eb5,
  invoice_payload_forward_payload: 0x7aa23eb5,
});
