import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { abi } from "../../../src/app/abi/abi.ts";
import { jettonWalletAbi } from "../../kit/contracts/jettonWalletAbi.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "tongate-abi-types-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

async function typesOf(path: string): Promise<string> {
  const terminal = recordTerminal();
  await abi.run(terminal, ["types", path]);
  return terminal.written();
}

/** Names as strangers may choose them. */
const hostile = {
  name: '*/ "; export const x = 1; //',
  doc: "*/ `$` \u2028",
  types: { constructor: "uint8", "a b": { struct: [{ name: "toString", type: { named: "constructor" } }] } },
  methods: [
    { name: "get-x", args: [{ name: "7", type: { named: "a b" } }], result: [] },
    { name: "get x", args: [], result: [{ name: "</script>", type: "int" }] },
  ],
  receives: [
    { name: "💥", fields: [] },
    { name: "!", tag: "$1", fields: [{ name: "constructor", type: "bool" }] },
  ],
};

const use = `import type { GetWalletDataResult, JettonWalletContract, JettonWalletMessage, TransferFields } from "./wallet.ts";
export const read = (c: JettonWalletContract): Promise<GetWalletDataResult> => c.read.get_wallet_data();
export const amount = ({ amount }: TransferFields): bigint | number => amount;
export const query = (m: JettonWalletMessage): bigint => m.fields.query_id;
// @ts-expect-error a balance is no text
export const balance = ({ balance }: GetWalletDataResult): string => balance;
`;

describe("tongate abi types", () => {
  it("writes TypeScript that compiles under strict, whatever the names are", async () => {
    write("wallet.ts", await typesOf(write("wallet.json", jettonWalletAbi)));
    write("hostile.ts", await typesOf(write("hostile.json", hostile)));
    write("use.ts", use);
    const paths = ["contracts/abi/Abi.ts", "api/client/contract/TypedContract.ts"];
    write(
      "client.ts",
      paths.map((path) => `export type * from ${JSON.stringify(join(root, "src", path))};\n`).join(""),
    );
    const compilerOptions = {
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true },
      ...{ target: "es2022", module: "esnext", moduleResolution: "bundler", lib: ["es2023", "dom"], types: [] },
      ...{ allowImportingTsExtensions: true, paths: { "tongate-client": ["./client.ts"] } },
    };
    const project = write("tsconfig.json", { compilerOptions, files: ["wallet.ts", "hostile.ts", "use.ts"] });
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const compile = () => execFileSync(process.execPath, [compiler, "-p", project], { encoding: "utf8" });
    expect(compile()).toBe("");
  });

  it("names each type once", async () => {
    const text = await typesOf(write("hostile.json", hostile));
    const names = [...text.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name);
    expect(names).toEqual([
      ...["ExportConstX1Contract", "ExportConstX1Message", "ExportConstX1Storage"],
      ...["GetXArgs", "GetXResult", "GetXResult2", "AbiFields", "AbiFields2"],
    ]);
  });

  it("refuses what is no ABI", async () => {
    const usage = (message: string) => expect.objectContaining({ code: "app/usage", message });
    await expect(typesOf(write("x.json", { name: "" }))).rejects.toEqual(
      usage(
        `${join(folder, "x.json")}: line 1: name: a name has 1 to 200 printable characters and is not __proto__ (abi/form)`,
      ),
    );
    await expect(typesOf(write("y.json", "{"))).rejects.toMatchObject({ code: "app/usage" });
    await expect(typesOf(join(folder, "none.json"))).rejects.toMatchObject({ code: "app/usage" });
    await expect(abi.run(recordTerminal(), ["types"])).rejects.toMatchObject({ code: "app/usage" });
  });
});
