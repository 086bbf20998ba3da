import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { formatClientTypes } from "../../scripts/clientTypes.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "tongate-declarations-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const use = `import { type Abi, createClient } from "./api/client/client.js";
import { jettonWallet } from "./api/client/contract/readyAbis.js";
import { createV3Client } from "./api/client/v3Client.js";
const wallet = await createClient("x").contract("a", jettonWallet);
const balance: bigint = (await wallet.read.get_wallet_data()).balance;
// @ts-expect-error an amount is needed
wallet.encode.jetton_transfer({});
console.log(balance);
const abi = {
  name: "x",
  methods: [{ name: "seqno", args: [], result: [{ name: "seqno", type: "uint32" }] }],
  receives: [{ name: "comment", tag: "#00000000", fields: [{ name: "text", type: "text" }] }],
} as const satisfies Abi;
for (const contract of [await createClient("x").contract("a", abi), await createV3Client("x").contract("a", abi)]) {
  const seqno: number = (await contract.read.seqno()).seqno;
  const text: string | undefined = contract.decode(contract.encode.comment({ text: "a" }))?.fields.text;
  // @ts-expect-error text is needed
  contract.encode.comment({ text: 1 });
  console.log(seqno, text);
}
`;

describe("the declarations of the clients", () => {
  it("infer the types of a contract from its ABI, under strict", async () => {
    for (const [path, text] of Object.entries(await formatClientTypes(root))) write(path, text);
    write("use.ts", use);
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
      ...{ module: "esnext", moduleResolution: "bundler", target: "es2022", types: [], noEmit: true },
      lib: ["es2023", "dom", "dom.asynciterable"],
    };
    write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["use.ts"] }));
    const compile = () => {
      const compiler = join(root, "node_modules/typescript/bin/tsc");
      return execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
    };
    expect(compile()).toBe("");
  });
});
