import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Address, TonClient4 } from "@ton/ton";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type StartedService, startService } from "../kit/app/startedService.ts";
import { run } from "../kit/deploy/packedRepository.ts";

const root = join(import.meta.dirname, "../..");

/** The script of a project: it deploys a wallet that nobody has the key of, and reports what it finds there. */
const script = `
import { NetworkProvider } from "@ton/blueprint";
import { toNano, WalletContractV4 } from "@ton/ton";

export async function run(provider: NetworkProvider): Promise<void> {
  const contract = provider.open(WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 42) }));
  const { address, init } = contract;
  await provider.sender().send({ to: address, value: toNano("0.2"), init });
  await provider.waitForDeploy(address, 1500, 200);
  const { state } = await provider.provider(address).getState();
  provider.ui().write(\`deployed \${address} \${state.type} \${await contract.getSeqno()}\`);
}
`;

let folder: string;
let service: StartedService;

beforeAll(async () => {
  service = await startService({ flags: ["--demo", "off", "--no-index", "--block-ms", "200"] });
  folder = mkdtempSync(join(tmpdir(), "tongate-blueprint-"));
  const packages = join(root, "node_modules");
  mkdirSync(join(folder, "node_modules"));
  mkdirSync(join(folder, "scripts"));
  // Blueprint compiles scripts with the compiler that a project has; that of this repository is too new for it.
  symlinkSync(join(packages, "@ton/blueprint/node_modules/typescript"), join(folder, "node_modules/typescript"));
  symlinkSync(join(packages, "@ton"), join(folder, "node_modules/@ton"));
  symlinkSync(join(packages, "@types"), join(folder, "node_modules/@types"));
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const compilerOptions = { module: "commonjs", target: "es2022", esModuleInterop: true, skipLibCheck: true };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, "ts-node": { transpileOnly: true } }));
  writeFileSync(join(folder, "scripts/deploy.ts"), script);
});

afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

it("blueprint run --custom-version v4 deploys a contract on the local network", async () => {
  const endpoint = `${service.origin}/api/v4`;
  const place = ["--custom", endpoint, "--custom-version", "v4", "--custom-type", "custom", "--mnemonic"];
  const program = join(root, "node_modules/@ton/blueprint/dist/cli/cli.js");
  const { stdout } = await run(process.execPath, [program, "run", "deploy", ...place], folder, {
    PATH: process.env.PATH,
    HOME: folder,
    WALLET_MNEMONIC: service.wallet("v4r2").words.join(" "),
    WALLET_VERSION: "v4r2",
  });
  const [, address = ""] = /deployed (\S+) active 0/.exec(stdout) ?? [];
  const client = new TonClient4({ endpoint, timeout: 300_000 });
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccount(last.seqno, Address.parse(address));
  expect(account.state.type).toBe("active");
});
