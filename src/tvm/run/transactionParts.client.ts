import { transactionFamilies } from "../machine/interpreter/instructions.ts";
import { addInstructions } from "../machine/interpreter/knownInstructions.client.ts";

let isAdded = false;

/** In the place of that of `transactionParts.ts`, for the client, which begins without them. */
export function addTransactionParts(): void {
  if (!isAdded) addInstructions(Object.values(transactionFamilies).flat(), false);
  isAdded = true;
}
