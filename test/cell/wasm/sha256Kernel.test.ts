import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { layout } from "../../../src/cell/wasm/sha256Code.ts";
import { assembleKernel, findKernel, type Sha256Kernel } from "../../../src/cell/wasm/sha256Kernel.ts";
import { seededRandom } from "../../../src/lib/random.ts";

const lanes = [0, 1, 2, 3] as const;
const longest = 300;
const source = seededRandom("messages").bytes(longest * 5);

function kernel(): Sha256Kernel {
  const sha256Kernel = findKernel();
  if (sha256Kernel === undefined) throw new Error("this engine has no WebAssembly with vectors");
  return sha256Kernel;
}

/** Puts a padded message into a lane with an offset; returns its size. */
function put({ memory }: Sha256Kernel, lane: number, message: Uint8Array, shift: number): number {
  const from = lane * layout.laneSize + shift;
  const size = Math.ceil((message.length + 9) / 64) * 64;
  const view = new DataView(memory);
  const bytes = new Uint8Array(memory);
  bytes.fill(0, from, from + size).set(message, from);
  bytes[from + message.length] = 0x80;
  view.setUint32(from + size - 4, message.length * 8);
  view.setInt32(layout.startsAt + lane * 4, from, true);
  view.setInt32(layout.sizesAt + lane * 4, size, true);
  return size;
}

function hashIn({ memory }: Sha256Kernel, lane: number): string {
  return Buffer.from(memory, layout.hashesAt + lane * 32, 32).toString("hex");
}

function expected(message: Uint8Array): string {
  return createHash("sha256").update(message).digest("hex");
}

describe("the kernel", () => {
  it("hashes one message of any length", () => {
    const made = kernel();
    for (let length = 0; length <= longest; length++) {
      const message = source.subarray(length, length * 2);
      made.hashOne(put(made, 0, message, length % 4));
      expect(hashIn(made, 0)).toBe(expected(message));
    }
  });

  it("hashes four messages of any length in any lanes", () => {
    const made = kernel();
    for (let length = 0; length <= longest; length++) {
      for (const first of lanes) {
        const lengths = [length, (length * 7 + 64) % (longest + 1), longest - length, (length + 150) % (longest + 1)];
        const messages = lanes.map((lane) => {
          const size = lengths[(lane + first) % 4] as number;
          return source.subarray(lane * longest, lane * longest + size);
        });
        made.hashFour(Math.max(...messages.map((message, lane) => put(made, lane, message, (length + lane) % 4))));
        expect(lanes.map((lane) => hashIn(made, lane))).toEqual(messages.map(expected));
      }
    }
  });

  it("is deterministic", () => {
    expect(Buffer.compare(assembleKernel(), assembleKernel())).toBe(0);
  });
});

describe("without the kernel", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each([
    ["has no WebAssembly", undefined],
    ["refuses vectors", { validate: () => false }],
  ])("cells have the same hashes on an engine that %s", async (_, global) => {
    const chainOf = async () => {
      vi.resetModules();
      const { beginCell } = await import("../../../src/cell/Builder.ts");
      const { readRoot, writeBoc } = await import("../../../src/cell/boc.ts");
      let built = beginCell().cell();
      for (let i = 0; i < 40; i++) {
        const leaf = beginCell()
          .storeBytes(source.subarray(i, i * 4))
          .storeUint(i, 7)
          .cell();
        built = beginCell().storeBytes(source.subarray(0, i)).storeRef(built).storeRef(leaf).storeRef(built).cell();
      }
      return [built.hash(), readRoot(writeBoc(built)).hash()];
    };
    const hashes = await chainOf();
    vi.stubGlobal("WebAssembly", global);
    expect(findKernel()).toBe(undefined);
    expect(await chainOf()).toEqual(hashes);
  });
});
