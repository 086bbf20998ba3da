import type { Abi } from "../../contracts/abi/Abi.ts";

/** Words that are no names of types. */
const firstNames = [
  "Abi",
  "TypedContract",
  "ContractMessage",
  "ContractStorage",
  "Awaited",
  "ReturnType",
  "Parameters",
];

/** Gives names of strangers names in TypeScript, each of them once. */
class TypeNames {
  readonly #taken = new Set<string>(firstNames);

  take(name: string, suffix: string): string {
    const words = name.match(/[A-Za-z0-9]+/g) ?? [];
    const joined = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
    const wanted = `${/^[A-Z]/.test(joined) ? "" : "Abi"}${joined}${suffix}`;
    let free = wanted;
    for (let count = 2; this.#taken.has(free); count++) free = `${wanted}${count}`;
    this.#taken.add(free);
    return free;
  }
}

/** An ABI as a module in TypeScript: its value, and names for the types of the contract, its methods and messages. */
export function formatAbiTypes(abi: Abi): string {
  const names = new TypeNames();
  const contract = names.take(abi.name, "Contract");
  const part = (name: string, suffix: string, type: string): string =>
    `export type ${names.take(name, suffix)} = ${type};`;
  const methods = (abi.methods ?? []).flatMap(({ name, args }) => {
    const method = `${contract}["read"][${JSON.stringify(name)}]`;
    return [
      ...(args.length === 0 ? [] : [part(name, "Args", `Parameters<${method}>[0]`)]),
      part(name, "Result", `Awaited<ReturnType<${method}>>`),
    ];
  });
  const messages = [...new Set((abi.receives ?? []).map(({ name }) => name))].map((name) =>
    part(name, "Fields", `Parameters<${contract}["encode"][${JSON.stringify(name)}]>[0]`),
  );
  const lines = [
    'import type { Abi, ContractMessage, ContractStorage, TypedContract } from "tongate-client";',
    "",
    `export const abi = ${JSON.stringify(abi, undefined, 2)} as const satisfies Abi;`,
    "",
    `export type ${contract} = TypedContract<typeof abi>;`,
    part(abi.name, "Message", "ContractMessage<typeof abi>"),
    part(abi.name, "Storage", "ContractStorage<typeof abi>"),
    ...methods,
    ...messages,
  ];
  return `${lines.join("\n")}\n`;
}
