import { addPackages } from "../crypto/loadPackage.client.ts";
import { addInstructions } from "../machine/interpreter/knownInstructions.client.ts";

/**
 * In the place of `loadRare.ts`, for the client: what most get-methods do without is loaded with the first code that
 * needs it.
 */
export async function loadRare(): Promise<void> {
  const [{ rareInstructions, rarePackages }, { addTransactionParts }] = await Promise.all([
    import("./rareParts.client.ts"),
    import("./transactionParts.client.ts"),
  ]);
  addPackages(rarePackages);
  addTransactionParts();
  addInstructions(rareInstructions, true);
}
