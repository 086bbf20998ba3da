import { addPackages } from "../crypto/loadPackage.client.ts";
import { addInstructions } from "../machine/interpreter/knownInstructions.client.ts";

/** In the place of `loadRare.ts`, for the client: what most get-methods do without is loaded with the first code that needs it. */
export async function loadRare(): Promise<void> {
  const { rareInstructions, rarePackages } = await import("./rareParts.client.ts");
  addPackages(rarePackages);
  addInstructions(rareInstructions);
}
