import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { listObjects, parseYaml, readDeployFiles, root } from "../kit/deploy/deployFiles.ts";
import { freePort } from "../kit/deploy/freePort.ts";
import "../kit/suite/longRun.ts";

const folder = mkdtempSync(join(tmpdir(), "tongate-workflow-"));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
const release = version.split(".").slice(0, 2).join(".");
let app: CompiledApp;

beforeAll(async () => {
  app = await compileApp();
  mkdirSync(join(folder, "bin"));
  cpSync(join(root, "examples/dapp-tests"), join(folder, "dapp-tests"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  // The registry and the dApp are replaced; everything else runs like on a runner.
  const programs = {
    npx: `[ "$1 $2" = "--yes tongate@${release}" ] || exit 9\nshift 2\necho $$ > pid\nexec ${process.execPath} ${app.cli} "$@"`,
    npm: `[ "$1" = ci ] && exit 0\n[ "$1" = test ] && exec ${process.execPath} --test dapp-tests/wallet.test.mjs\nexit 9`,
  };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, "bin", name), 0o755);
  }
});

afterAll(async () => {
  const pid = existsSync(join(folder, "pid")) ? Number(readFileSync(join(folder, "pid"), "utf8")) : 0;
  while (pid > 0 && endProcess(pid)) await setTimeout(50);
  rmSync(folder, { recursive: true });
});

/** Whether the process was still running. */
function endProcess(pid: number): boolean {
  try {
    return process.kill(pid, "SIGTERM");
  } catch {
    return false;
  }
}

describe("the workflow without Docker", () => {
  it("starts a network, waits for it and runs the tests of a dApp against it", async () => {
    const port = await freePort();
    const text = (readDeployFiles().get("github-actions/without-docker.yml") ?? "")
      .replaceAll("8081", `${port}`)
      .replace(
        // A runner has its machine to itself; a test machine may be busy.
        "seq 120",
        "seq 500",
      );
    const [job] = parseYaml(text)
      .flatMap(listObjects)
      .filter(({ steps }) => steps !== undefined);
    const steps = ((job?.steps ?? []) as readonly object[])
      .map((step) => Object(step).run)
      .filter((run) => run !== undefined);
    expect(steps.length).toBe(4);
    const given = { ...Object(job?.env), TONGATE_PORT: `${port}`, TONGATE_DATA: join(folder, "data") };
    const env = { ...given, PATH: `${join(folder, "bin")}:${process.env.PATH}` };
    for (const step of steps) {
      const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", String(step)], {
        ...{ cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] as const },
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (more) => (output += more));
      const [code] = (await once(child, "close")) as [number | null];
      expect([step, code, output]).toEqual([step, 0, output]);
    }
  });

  it("names this release, like the one with Docker", () => {
    const texts = ["without-docker", "with-docker"].map(
      (name) => readDeployFiles().get(`github-actions/${name}.yml`) ?? "",
    );
    const named = texts.flatMap((text) => text.match(/tongate[@:][0-9.]+/g) ?? []).map((name) => name.slice(8));
    expect(named).toEqual([release, release]);
  });
});
