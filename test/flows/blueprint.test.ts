import { createRequire } from "node:module";
import { createNetworkProvider, type NetworkProvider, type UIProvider } from "@ton/blueprint";
import { Address, beginCell, Cell, contractAddress, storeMessage, TonClient, toNano } from "@ton/ton";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { writeBoc } from "../../src/cell/boc.ts";
import { type StartedService, startService } from "../kit/app/startedService.ts";
import { compileTolk } from "../kit/cell/compileTolk.ts";
import "../kit/suite/longRun.ts";

/** A user who answers nothing: all answers are in the arguments. */
function silentUi(): UIProvider & { readonly written: string[] } {
  const unexpected = (message: string) => Promise.reject(new Error(`asked: ${message}`));
  const written: string[] = [];
  return {
    written,
    write: (message) => void written.push(message),
    prompt: unexpected,
    inputAddress: unexpected,
    input: unexpected,
    choose: unexpected,
    setActionPrompt: () => {},
    clearActionPrompt: () => {},
  };
}

/** Blueprint reads the wallet from the environment. */
function wearWallet(service: StartedService): void {
  vi.stubEnv("WALLET_MNEMONIC", service.wallet("v4r2").words.join(" "));
  vi.stubEnv("WALLET_VERSION", "v4r2");
}

interface ListedWallets {
  readonly result: readonly {
    readonly address: string;
    readonly version: string;
    readonly blueprint: string | null;
  }[];
}

afterEach(() => vi.unstubAllEnvs());

describe("Blueprint's network provider against the service", () => {
  let service: StartedService;
  let code: Cell;

  beforeAll(async () => {
    service = await startService({ flags: ["--demo", "off", "--no-index", "--block-ms", "200"] });
    code = Cell.fromBoc(writeBoc(await compileTolk("test/fixtures/localnet/echo.tolk")))[0] ?? Cell.EMPTY;
  });

  afterAll(() => service.close());

  async function connect(endpoint: string): Promise<{ provider: NetworkProvider; written: string[] }> {
    wearWallet(service);
    const ui = silentUi();
    const args = { _: [], "--custom": endpoint, "--mnemonic": true } as const;
    return { provider: await createNetworkProvider(ui, { ...args, _: [] }), written: ui.written };
  }

  async function lastTransactionOf(address: string): Promise<string> {
    const answer = await fetch(`${service.origin}/api/v2/getAddressInformation?address=${address}`);
    return Object(await answer.json()).result.last_transaction_id.lt;
  }

  it("finds each funded wallet by the settings that /explorer/local shows", async () => {
    const { result } = (await (await fetch(`${service.origin}/localnet/wallets`)).json()) as ListedWallets;
    const network = { endpoint: `${service.origin}/api/v2/jsonRPC`, type: "custom", version: "v2" } as const;
    const found: unknown[] = [];
    for (const { address, version, blueprint } of result) {
      if (blueprint === null) continue;
      for (const [, name = "", value = ""] of blueprint.matchAll(/^(\w+)="?([^"\n]*)"?$/gm)) vi.stubEnv(name, value);
      const provider = await createNetworkProvider(silentUi(), { _: [], "--mnemonic": true }, { network });
      found.push([version, address, provider.sender().address?.toRawString()]);
      const before = await lastTransactionOf(address);
      await provider.sender().send({ to: Address.parse(address), value: toNano("0.01") });
      // Later messages of the wallet need the number after this one.
      await expect.poll(() => lastTransactionOf(address), { timeout: 300_000, interval: 100 }).not.toBe(before);
      vi.unstubAllEnvs();
    }
    expect(found).toEqual(
      result
        .filter(({ version }) => version !== "highloadV3")
        .map(({ version, address }) => [version, address, address]),
    );
    expect(found.length).toBe(9);
  });

  it("deploys a contract and sees it deployed", async () => {
    const { provider, written } = await connect(`${service.origin}/api/v2/jsonRPC`);
    expect(provider.network()).toBe("custom");
    expect(provider.sender().address?.toString({ bounceable: false })).toBe(service.wallet("v4r2").address);
    const init = { code, data: beginCell().storeUint(1, 32).endCell() };
    const address = contractAddress(0, init);
    expect(await provider.isContractDeployed(address)).toBe(false);
    await provider.sender().send({ to: address, value: toNano("0.2"), init });
    await provider.waitForDeploy(address, 1_500, 200);
    expect(await provider.isContractDeployed(address)).toBe(true);
    expect(written).toContain(`Contract deployed at address ${address}`);
    const { state } = await provider.provider(address).getState();
    expect(state).toMatchObject({ type: "active", code: expect.any(Buffer) });
  });

  it("sends to its default endpoint: the root of the server", async () => {
    const { provider } = await connect(`${service.origin}/`);
    const to = Address.parse(service.wallet("v3r2").address);
    const api = provider.api();
    if (!(api instanceof TonClient)) throw new Error("not the client of v2");
    const before = await api.getBalance(to);
    // The messages of this sender bounce, so they go to an existing account.
    await provider.sender().send({ to, value: toNano("0.05") });
    await expect.poll(() => api.getBalance(to), { timeout: 300_000, interval: 200 }).toBeGreaterThan(before);
  });

  it("reads the whole configuration from the configuration contract", async () => {
    const { provider } = await connect(`${service.origin}/api/v2/jsonRPC`);
    const config = await provider.getConfig();
    expect(config.configAddress.toRawString()).toBe(`-1:${"55".repeat(32)}`);
    expect(config.electorAddress.toRawString()).toBe(`-1:${"33".repeat(32)}`);
    expect(config.validators.validatorsElectedFor).toBeGreaterThan(0);
  });

  it("waits for its last transaction", async () => {
    const { provider, written } = await connect(`${service.origin}/api/v2/jsonRPC`);
    const client = new TonClient({ endpoint: `${service.origin}/api/v2/jsonRPC`, timeout: 300_000 });
    const history = await client.getTransactions(Address.parse(service.wallet("v4r2").address), { limit: 10 });
    const sent = history.flatMap(({ inMessage }) => (inMessage?.info.type === "external-in" ? [inMessage] : []))[0];
    if (sent === undefined) throw new Error("the wallet has sent nothing");
    // The mnemonic sender keeps no message to wait for; wallet senders keep it in this field.
    await expect(provider.waitForLastTransaction(1, 1)).rejects.toThrow("Not implemented");
    const boc = beginCell().store(storeMessage(sent)).endCell().toBoc().toString("base64");
    Object.assign(provider.sender(), { _lastSendResult: { boc } });
    await provider.waitForLastTransaction(1_500, 200);
    expect(written.find((line) => line.includes("successfully applied"))).toBeDefined();
  });
});

/** The used part of Blueprint's copy of axios. */
interface Axios {
  readonly interceptors: {
    readonly request: Interceptors<{ url?: string | undefined }>;
    readonly response: Interceptors<{ status: number; data: unknown; headers: Record<string, unknown> }>;
  };
}

interface Interceptors<T> {
  use(see: (seen: T) => T): number;
  eject(id: number): void;
}

describe("Blueprint's retries against limits", () => {
  it("retries a burst that gets 429 until all of it is answered", async () => {
    const service = await startService({
      flags: ["--demo", "off", "--no-index", "--block-ms", "200", "--limits", "on"],
    });
    const ofBlueprint = createRequire(createRequire(import.meta.url).resolve("@ton/blueprint"));
    const axios: Axios = ofBlueprint("axios");
    const refused: unknown[] = [];
    // Only its clients of the public networks retry, and their URLs are fixed: this redirects them to the service.
    const leads = axios.interceptors.request.use((request) => {
      request.url = request.url?.replace("https://testnet.toncenter.com", service.origin);
      return request;
    });
    const sees = axios.interceptors.response.use((response) => {
      const { status, data, headers } = response;
      if (status === 429) refused.push({ data, retryAfter: headers["retry-after"] });
      return response;
    });
    try {
      wearWallet(service);
      const provider = await createNetworkProvider(silentUi(), { _: [], "--testnet": true, "--mnemonic": true });
      const { address } = provider.sender();
      if (address === undefined) throw new Error("the sender has no address");
      const deployed = await Promise.all([1, 2, 3].map(() => provider.isContractDeployed(address)));
      expect(deployed).toEqual([true, true, true]);
      expect(refused.length).toBeGreaterThan(0);
      for (const each of refused)
        expect(each).toEqual({ data: { ok: false, error: "Ratelimit exceeded", code: 429 }, retryAfter: "1" });
    } finally {
      axios.interceptors.request.eject(leads);
      axios.interceptors.response.eject(sees);
      await service.close();
    }
  });
});
