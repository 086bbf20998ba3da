import { declareFamily } from "../../engine/declareFamily.ts";
import { invoicesBodies } from "./messages.ts";

/** Payloads of invoices. */
export const family = declareFamily({ bodies: invoicesBodies });
