import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalClient } from "../../../src/api/client/localClient.ts";
import { beginCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import { toBase64 } from "../../../src/lib/bytes.ts";
import { askServed } from "../../kit/app/splitService.ts";
import { type StartedService, startService } from "../../kit/app/startedService.ts";

const contract = `0:${"7e".repeat(32)}`;
const headers = { "content-type": "application/json" };
const logAddress = "deadbeef";

/** A message to a log address with a comment: `ext_out_msg_info$11`, no sender, 32 bits of address. */
const message = beginCell()
  .storeUint(0b1100_01, 6)
  .storeUint(32, 9)
  .storeHex(logAddress)
  .storeBigUint(0n, 64)
  .storeUint(0, 32)
  .storeUint(0, 2)
  .storeUint(0, 32)
  .storeBytes(Buffer.from("paid"))
  .cell();
/** PUSHREF, 0 PUSHINT, SENDRAWMSG: whatever comes, the message is sent. */
const code = beginCell().storeUint(0x8870fb00, 32).storeRef(message).cell();

let service: StartedService;
beforeAll(async () => {
  service = await startService({ flags: ["--block-ms", "200", "--demo", "off", "--no-index"] });
});
afterAll(() => service.close());

describe("the logs and the steps of a contract", () => {
  it("are listed and run again", async () => {
    const client = createLocalClient(`${service.origin}/localnet`);
    await client.setBalance({ address: contract, balance: "5" });
    await client.setCode({ address: contract, code: toBase64(writeBoc(code)) });
    expect(await client.logs({ address: contract })).toEqual([]);
    await client.sendAs({ from: service.wallets[0]?.address ?? "", to: contract, value: "1" });
    const count = async () => (await client.logs({ address: contract })).length;
    await expect.poll(count, { timeout: 300_000 }).toBe(1);
    const [log] = await client.logs({ address: contract });
    expect(log).toMatchObject({
      account: contract,
      destination: logAddress,
      decoded: { "@type": "text_comment", comment: "paid" },
    });
    // As the command sends it.
    const request = { method: "POST", body: JSON.stringify({ address: contract }) };
    const posted = await fetch(`${service.origin}/localnet/logs`, { ...request, headers });
    expect(Object(await posted.json()).result).toEqual([log]);
    const { lt = "", transaction_hash: hash = "" } = log ?? {};
    const steps = await client.trace({ address: contract, lt, hash });
    expect(steps).toMatchObject({ is_equal: true });
    expect(JSON.stringify(steps)).toContain("SENDRAWMSG");
    const text = `/localnet/trace?address=${contract}&lt=${lt}&hash=${"00".repeat(32)}`;
    expect(await askServed(service.origin, text)).toMatchObject({
      ...{ ok: false, code: 500 },
      error: "LITE_SERVER_UNKNOWN: transaction hash mismatch",
    });
  });
});
