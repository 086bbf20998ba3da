import { afterAll, beforeAll, expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { RecordedConfigs, readRecordedState } from "../../../kit/tvm/tvmRecords.ts";
import { AbiLibrary } from "../../../src/contracts/AbiLibrary.ts";
import type { AbiCodec } from "../../../src/contracts/abi/AbiCodec.ts";
import { interfacesOf } from "../../../src/contracts/interfaces.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { methodId } from "../../../src/model/vm/methodId.ts";
import type { VmValues } from "../../../src/model/vm/VmValue.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import { accountStateOf } from "../../kit/contracts/recordedCaller.ts";
import { stackHash } from "../../kit/model/stackHash.ts";

describeCorpusPart("recorded contracts by their ABIs", "getmethods/*.json", (folder) => {
  let executor: LiveExecutor;
  beforeAll(async () => {
    executor = await openExecutor({}, { clock: systemClock });
  });
  afterAll(() => executor.close());

  it("have by name what they have on the stack, and their data by names", async () => {
    const configs = new RecordedConfigs(folder);
    const library = new AbiLibrary();
    const wrong: string[] = [];
    const undecoded: string[] = [];
    let results = 0;
    let storages = 0;
    for (const file of listFiles(folder, "getmethods", ".json")) {
      const state = readRecordedState(readJson(folder, file), configs);
      const { address, codeHash, methods, data } = await accountStateOf(state);
      const interfaces = interfacesOf({ codeHash, methods });
      const codecs = library.find({ address, codeHash, interfaces });
      const code = hashToBase64(codeHash);
      if (codecs.some((codec) => codec.findStorage(data, code) !== undefined)) storages++;
      else if (codecs.some(({ abi }) => abi.storage?.some(({ codes }) => codes?.includes(code) !== false)))
        undecoded.push(`${file} ${interfaces} ${code}`);
      const plain = codecs.flatMap(({ abi }) => abi.methods ?? []).filter(({ args }) => args.length === 0);
      for (const name of new Set(plain.map((method) => method.name))) {
        if (methods?.includes(methodId(name)) === false) continue;
        const { exitCode, stack } = await executor.runGetMethod({ ...state, method: name, stack: [] });
        if (exitCode !== 0) continue;
        results++;
        if (!codecs.some((codec) => isSame(codec, name, stack)))
          wrong.push(`${file} ${name} ${interfaces} ${stack.map(({ kind }) => kind)}`);
      }
    }
    console.log(`${results} results and ${storages} storages by names`);
    expect({ wrong, undecoded }).toEqual({ wrong: [], undecoded: [] });
    expect(Math.min(results, storages)).toBeGreaterThan(20);
  });
});

/**
 * Whether the result by names is the stack again. Numbers of flags and contents of tokens may be written differently.
 */
function isSame(codec: AbiCodec, name: string, stack: VmValues): boolean {
  if (codec.findMethod(name) === undefined) return false;
  const fields = codec.findResult(name, stack);
  if (fields === undefined) return false;
  const again = codec.encodeResult(name, fields);
  if (stackHash(again) === stackHash(stack)) return true;
  return stackHash(codec.encodeResult(name, codec.decodeResult(name, again))) === stackHash(again);
}
