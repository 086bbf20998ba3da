import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../../../src/app/commands/list.ts";
import { loadConfig } from "../../../src/app/config.ts";
import { makeNodeConfig, readNodeAddress, readPublicKey } from "../../../src/app/networks/nodeConfig.ts";
import { findShipped } from "../../../src/app/networks/shipped.ts";
import { runCommandLine } from "../../../src/app/terminal/commandLine.ts";
import { concatBytes, fromHex, toBase64, toHex } from "../../../src/lib/bytes.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { type ServedChain, serveChain } from "../../kit/lite/serveChain.ts";
import { openFixtureLedger } from "../../kit/localnet/fixtureLedger.ts";
import { recordTerminal } from "../../kit/suite/recordTerminal.ts";

const key = Uint8Array.from({ length: 32 }, (_, at) => at + 1);
const keyFile = concatBytes([fromHex("c6b41348"), key]);

describe("the public key of a node", () => {
  it("is read from the file of a node, and from base64 and hex text", () => {
    const text = (each: string) => new TextEncoder().encode(each);
    const forms = [keyFile, text(`${toHex(keyFile)}\n`), text(`${toBase64(key)}\n`), text(toHex(key))];
    expect(forms.map((form) => toHex(readPublicKey(form, "k")))).toEqual(forms.map(() => toHex(key)));
  });

  it.each([
    ["an empty file", new Uint8Array(), /has 0 bytes and is not a public key/],
    ["a key of another kind", concatBytes([fromHex("d4adbc2d"), key]), /not an Ed25519 key/],
    ["a private key file", new Uint8Array(68), /has 68 bytes and is not a public key/],
  ])("is refused in %s", (_, content, reason) => {
    expect(() => readPublicKey(content, "k")).toThrow(reason);
  });
});

describe("the address of a node", () => {
  it("is a host and a port, an IPv6 address in brackets", () => {
    expect(readNodeAddress("node.example.com:4924")).toEqual({ host: "node.example.com", port: 4924 });
    expect(readNodeAddress("[2001:db8::7]:80")).toEqual({ host: "2001:db8::7", port: 80 });
  });

  it.each(["", "host", "host:", "host:0", "host:65536", ":80", "2001:db8::7:80"])("is not %j", (text) => {
    expect(() => readNodeAddress(text)).toThrow(/--at cannot be .*; give HOST:PORT/);
  });
});

describe("config from-node", () => {
  let served: ServedChain;
  const folder = mkdtempSync(join(tmpdir(), "tongate-node-"));

  beforeAll(async () => {
    served = await serveChain(new LocalLiteServer({ ledger: openFixtureLedger() }));
    writeFileSync(join(folder, "liteserver.pub"), concatBytes([fromHex("c6b41348"), served.publicKey]));
  });

  afterAll(async () => {
    await served.close();
    rmSync(folder, { recursive: true });
  });

  const run = async (at: string) => {
    const terminal = recordTerminal();
    await runCommandLine(commands, terminal, [
      "config",
      "from-node",
      "--public-key",
      join(folder, "liteserver.pub"),
      "--at",
      at,
    ]);
    return terminal.written();
  };

  it("prints a configuration file that loads and names the node, its zero state and its key", async () => {
    const written = await run(`127.0.0.1:${served.port}`);
    const { config } = loadConfig([], { environment: {}, findFile: () => written });
    expect(config.network).toEqual(["private"]);
    expect(config.networks.private?.liteServers).toEqual([
      { host: "127.0.0.1", port: served.port, publicKey: served.publicKey, isPrivate: false },
    ]);
    expect(config.networks.private?.initBlock).toEqual(config.networks.private?.zeroState);
  });

  it("explains what to check if the node does not answer", async () => {
    await expect(run("127.0.0.1:1")).rejects.toThrow(
      /^127\.0\.0\.1:1 does not answer: .*check that this machine can reach the port/,
    );
  });

  it("names a shipped network instead of its zero state", () => {
    const { rootHash, fileHash } = findShipped("mainnet")?.zeroState ?? {};
    if (rootHash === undefined || fileHash === undefined) throw new Error("mainnet is shipped");
    const zeroState = { rootHash: hashToBase64(rootHash), fileHash: hashToBase64(fileHash) };
    expect(makeNodeConfig({ host: "h", port: 1, publicKey: key }, { headSeqno: 5, zeroState })).toEqual({
      network: "mainnet",
      networks: { mainnet: { liteServers: [{ host: "h", port: 1, key: toBase64(key) }] } },
    });
  });
});
