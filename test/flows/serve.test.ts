import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartedService, startService } from "../kit/app/startedService.ts";

describe("the service with default settings", () => {
  let service: StartedService;
  let origin: string;

  beforeAll(async () => {
    service = await startService({ engine: "embedded", isNew: true });
    ({ origin } = service);
  });

  afterAll(() => service.close());

  async function ask(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(`${origin}${path}`);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  it("prints example requests that work", async () => {
    const requests = [...service.output.matchAll(/curl '([^']+)'/g)].map(([, url]) => url?.slice(origin.length) ?? "");
    expect(requests).toEqual(["/api/v2/getMasterchainInfo"]);
    // The index may not have the first blocks yet.
    for (const request of requests)
      await expect.poll(async () => (await ask(request)).status, { timeout: 300_000, interval: 100 }).toBe(200);
  });

  it("has funded wallets", async () => {
    expect(service.wallets).not.toEqual([]);
    for (const { address } of service.wallets) {
      const { body } = await ask(`/api/v2/getAddressBalance?address=${address}`);
      expect(BigInt(String(body.result))).toBeGreaterThan(1_000_000_000n);
    }
  });

  it("answers a request with a wrong address with the reason", async () => {
    expect((await ask("/api/v2/getAddressBalance?address=nobody")).status).toBe(422);
  });

  it("shows a page to browsers", async () => {
    const page = await fetch(`${origin}/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Tongate")]);
    expect((await fetch(`${origin}/api/v2/`)).status).toBe(200);
  });
});
