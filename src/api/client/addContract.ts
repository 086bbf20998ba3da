import type { ContractClient } from "./contract/openContract.ts";

type Method = (...given: readonly unknown[]) => unknown;

/**
 * Gives a client its method `contract`, which loads what it needs. v3 has an endpoint of this name, too: it takes an
 * object of arguments where this one takes an address.
 */
export function addContract<C extends object>(client: C, asking: ContractClient): C {
  const endpoint: Method | undefined = Object.getOwnPropertyDescriptor(client, "contract")?.value;
  const contract: Method = async (...given) => {
    const [address, abi] = given;
    if (endpoint !== undefined && typeof address !== "string") return endpoint(...given);
    const { openContract } = await import("./contract/openContract.ts");
    return openContract(asking, String(address), Object(abi));
  };
  return Object.defineProperty(client, "contract", { value: contract });
}
