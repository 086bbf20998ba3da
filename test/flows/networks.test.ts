import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KeyFile } from "../../src/api/access/KeyFile.ts";
import { makeApiKey } from "../../src/api/access/keys.ts";
import { toBase64 } from "../../src/lib/bytes.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import type { LiteServer } from "../../src/lite/server/LiteServer.ts";
import { getAccountState } from "../../src/lite/tl/liteQueries.ts";
import type { Localnet } from "../../src/localnet/network/Localnet.ts";
import { RemoteStage, type TestService } from "../kit/app/remoteStage.ts";
import type { ServedChain } from "../kit/lite/serveChain.ts";

const patient = { timeout: 300_000, interval: 50 };

/** A server that counts account queries. */
function counting(lite: LiteServer): LiteServer & { readonly asked: () => number } {
  let asked = 0;
  return {
    ask: (query, options) => {
      const id = new DataView(query.buffer, query.byteOffset).getUint32(0, true);
      asked += id === getAccountState.id ? 1 : 0;
      return lite.ask(query, options);
    },
    close: () => lite.close(),
    destroy: (reason) => lite.destroy(reason),
    asked: () => asked,
  };
}

/** The answer to a request for a host by name. */
function askByName(origin: string, host: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: "/api/v2/getMasterchainInfo", headers: { host } }, (response) => {
      let text = "";
      response.on("data", (part) => (text += part)).on("end", () => resolve(text));
    });
    asked.on("error", reject).end();
  });
}

describe("several networks in one process", () => {
  let stage: RemoteStage;
  let nets: readonly [Localnet, Localnet];
  let servers: readonly [ServedChain, ServedChain];
  let data: string;

  beforeAll(async () => {
    stage = await RemoteStage.open();
    nets = [await stage.openNet(), await stage.openNet()];
    // They have the same keys, so their length distinguishes them.
    for (let i = 0; i < 5; i++) await nets[1].step();
    servers = [await stage.openServer(nets[0].lite), await stage.openServer(nets[1].lite)];
    data = join(stage.folder, "shared");
  });

  afterAll(() => stage.close());

  const addKey = (networks: readonly string[]): string => {
    const facts = { name: "a", owner: networks.join("+"), plan: "plus", networks };
    const { secret, event } = makeApiKey(facts, systemClock.now(), systemRandom);
    new KeyFile(data).append(event);
    return secret;
  };

  const waitReady = async (service: TestService, count: number) => {
    for (let at = 0; at < count; at++)
      await expect.poll(async () => (await service.ask("/readyz", { at })).status, patient).toBe(200);
  };

  const listed = ({ port, publicKey }: ServedChain, isPrivate = false) => ({
    host: "127.0.0.1",
    port,
    key: toBase64(publicKey),
    private: isPrivate,
  });

  const zeroOf = (net: Localnet) => ({ rootHash: net.ledger.zero.id.rootHash, fileHash: net.ledger.zero.id.fileHash });

  it("are each served at their own address, and keys open only their networks", async () => {
    const config = {
      keyless: 0.01,
      networks: {
        red: { globalConfig: stage.writeGlobalConfig("red.json", nets[0], [servers[0]]) },
        blue: { zeroState: zeroOf(nets[1]), liteServers: [listed(servers[1])], host: "localhost" },
      },
    };
    const only = addKey(["red"]);
    const both = addKey(["*"]);
    const file = stage.write("keys.json", config);
    const args = ["--config", file, "--network", "red,blue", "--data", data, "--limits", "on"];
    const service = await stage.serve(args);
    await waitReady(service, 2);
    const [red, blue] = [nets[0].ledger.headId.seqno, nets[1].ledger.headId.seqno];
    const [redOrigin, blueOrigin] = service.origins;
    const at = (origin: string | undefined, key?: string) =>
      fetch(`${origin}/api/v2/getMasterchainInfo`, key === undefined ? {} : { headers: { "x-api-key": key } });
    const seqno = async (response: Response) => Object(await response.json()).result.last.seqno;
    expect(await seqno(await at(redOrigin, only))).toBe(red);
    expect(await seqno(await at(blueOrigin, both))).toBe(blue);
    const refused = async (response: Response) => [response.status, Object(await response.json()).error];
    expect(await refused(await at(blueOrigin, "nobody"))).toEqual([401, "API key does not exist"]);
    expect(await refused(await at(blueOrigin, only))).toEqual([403, "Network not allowed"]);
    expect((await at(redOrigin)).status).toBe(200);
    expect(await refused(await at(redOrigin))).toEqual([429, "Ratelimit exceeded"]);
    // A request with an invalid key is not counted: the key is checked first.
    expect(await refused(await at(redOrigin, "nobody"))).toEqual([401, "API key does not exist"]);
    expect((await at(blueOrigin)).status).toBe(200);
    await service.close();
  });

  it("share a listener by host name; unknown names belong to the first network", async () => {
    const file = stage.write("names.json", {
      networks: {
        red: { zeroState: zeroOf(nets[0]), liteServers: [listed(servers[0])] },
        blue: { zeroState: zeroOf(nets[1]), liteServers: [listed(servers[1])], hostNames: ["blue.test", "b.test"] },
      },
    });
    const service = await stage.serve(["--config", file, "--network", "blue,red", "--data", data]);
    const { port } = new URL(service.origins[0] ?? "");
    expect(service.origins).toEqual([`http://blue.test:${port}`, `http://127.0.0.1:${port}`]);
    const [, origin = ""] = service.origins;
    const seqno = async (host: string) => Object(JSON.parse(await askByName(origin, host))).result?.last.seqno;
    const [red, blue] = [nets[0].ledger.headId.seqno, nets[1].ledger.headId.seqno];
    await expect.poll(() => seqno("blue.test"), patient).toBe(blue);
    await expect.poll(() => seqno("any.test"), patient).toBe(red);
    expect(await seqno(`B.TEST:${port}`)).toBe(blue);
    expect(await seqno(`blue.test.:${port}`)).toBe(blue);
    await service.close();
  });

  it("report an address that cannot be listened on, and a metrics port with several networks", async () => {
    const other = await stage.openServer(nets[0].lite);
    const path = stage.writeGlobalConfig("taken.json", nets[0], [servers[0]]);
    await expect(stage.serve(["--network", path, "--port", String(other.port)])).rejects.toMatchObject({
      code: "app/listen",
      message: expect.stringMatching(
        new RegExp(`^cannot listen on 127.0.0.1:${other.port} \\(.*EADDRINUSE.*\\); give another --host or --port$`),
      ),
    });
    const file = stage.write("metrics.json", {
      networks: { red: { zeroState: zeroOf(nets[0]), liteServers: [listed(servers[0])], host: "localhost" } },
    });
    const args = ["--config", file, "--network", `red,${path}`, "--metrics", "0"];
    await expect(stage.serve(args)).rejects.toMatchObject({
      code: "app/config",
      message: "--metrics cannot be a port with 2 networks; give off or path",
    });
  });

  it("use private servers only for callers with a key", async () => {
    const hidden = counting(nets[0].lite);
    const hiddenServer = await stage.openServer(hidden);
    const open = counting(nets[0].lite);
    const openServer = await stage.openServer(open);
    const key = addKey(["mixed", "closed"]);
    const file = stage.write("private.json", {
      networks: {
        mixed: { zeroState: zeroOf(nets[0]), liteServers: [listed(openServer), listed(hiddenServer, true)] },
        closed: { zeroState: zeroOf(nets[0]), liteServers: [listed(hiddenServer, true)], host: "localhost" },
      },
    });
    const service = await stage.serve(["--config", file, "--network", "mixed,closed", "--data", data]);
    await waitReady(service, 2);
    expect(service.written()).toContain(
      "  servers  2, from the configuration file\n           1 of them for callers with a key only\n",
    );
    const accounts = nets[0].keys.wallets.map(({ wallet }) => wallet.address);
    for (const account of accounts)
      expect((await service.ask(`/api/v2/getAddressBalance?address=${account}`)).status).toBe(200);
    expect([open.asked(), hidden.asked()]).toEqual([accounts.length, 0]);
    const [first = ""] = accounts;
    const path = `/api/v2/getAddressInformation?address=${first}`;
    expect(await service.ask(path, { at: 1 })).toMatchObject({
      status: 542,
      body: {
        error:
          "failed to get session: no workers available (archival=0 mode=Single): no public lite server is configured",
      },
    });
    expect((await service.ask(path, { at: 1, key })).status).toBe(200);
    expect(hidden.asked()).toBe(1);
    // An answer of a private server is not cached for others.
    expect((await service.ask(path, { at: 1 })).status).toBe(542);
    expect(await service.ask(path, { at: 1, key: "nobody" })).toMatchObject({ status: 401 });
    await service.close();
  });
});
