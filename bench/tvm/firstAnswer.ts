// Runs in its own process, bundled like the program that is shipped: measures loading the executor and its first
// get-method. Cells and configuration are loaded before, because their bytes are read before a get-method runs.

const megabyte = 2 ** 20;

async function measure(): Promise<{ readonly cpuMs: number; readonly megabytes: number }> {
  const { readRoot } = await import("../../src/cell/boc.ts");
  const { configFromRoot } = await import("../../src/model/config/ConfigParams.ts");
  const { parseAddress } = await import("../../src/model/Address.ts");
  const { coinsOnly } = await import("../../src/model/Currency.ts");
  const { zeroHash } = await import("../../src/model/Hash.ts");
  const { systemClock } = await import("../../src/lib/clock.ts");
  const [config = "", address = "", code = "", data = "", method = ""] = process.argv.slice(2);
  const run = {
    ...{ config: configFromRoot(readRoot(Buffer.from(config, "base64"))), now: 1_780_000_000, randomSeed: zeroHash },
    ...{ address: parseAddress(address).address, balance: coinsOnly(1_000_000_000n), method: Number(method) },
    ...{ code: readRoot(Buffer.from(code, "base64")), data: readRoot(Buffer.from(data, "base64")) },
    ...{ stack: [], gasLimit: 1_000_000n },
  };
  globalThis.gc?.();
  const [cpuBefore, memoryBefore] = [process.cpuUsage(), process.memoryUsage()];
  const { openExecutor } = await import("../../src/tvm/run/openExecutor.ts");
  const executor = await openExecutor({}, { clock: systemClock });
  const { exitCode } = await executor.runGetMethod(run);
  const { user, system } = process.cpuUsage(cpuBefore);
  globalThis.gc?.();
  const memory = process.memoryUsage();
  await executor.close();
  if (exitCode !== 0) throw new Error(`the get-method exited with ${exitCode}`);
  const added = memory.heapUsed + memory.external - memoryBefore.heapUsed - memoryBefore.external;
  return { cpuMs: (user + system) / 1000, megabytes: added / megabyte };
}

process.send?.(await measure());
