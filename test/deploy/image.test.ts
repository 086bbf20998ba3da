import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type CompiledApp, compileApp } from "../../kit/suite/compiledApp.ts";
import { parseDockerfile, readDeployFiles, root } from "../kit/deploy/deployFiles.ts";
import { freePort } from "../kit/deploy/freePort.ts";
import "../kit/suite/longRun.ts";

const instructions = parseDockerfile(readDeployFiles().get("Dockerfile") ?? "");
const lastStage = instructions.slice(instructions.findLastIndex(({ word }) => word === "FROM"));
const find = (word: string) => lastStage.find((each) => each.word === word)?.rest ?? "";

/** `NAME=value` pairs of the image. */
const environment = Object.fromEntries(
  [...find("ENV").matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
);

describe("the image", () => {
  it("runs as an unprivileged user, stops by SIGTERM, and keeps its data in a volume", () => {
    expect([find("USER"), find("STOPSIGNAL"), find("VOLUME")]).toEqual(["node", "SIGTERM", "/data"]);
    expect(environment).toEqual({
      NODE_ENV: "production",
      TONGATE_HOST: "0.0.0.0",
      TONGATE_PORT: "8081",
      TONGATE_DATA: "/data",
    });
  });

  it("builds the same for every architecture: no dependency has a platform or a script", () => {
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
      readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    const shipped = Object.entries(packages).filter(
      ([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional,
    );
    expect(shipped.length).toBeGreaterThan(30);
    const bound = shipped.filter(([, each]) =>
      ["os", "cpu", "libc", "hasInstallScript"].some((key) => each[key] !== undefined),
    );
    expect(bound.map(([path]) => path)).toEqual([]);
    expect(instructions.filter(({ word, rest }) => word === "FROM" && /--platform/.test(rest))).toEqual([]);
    expect(find("HEALTHCHECK")).toMatch(/CMD \["node", /);
  });

  it("copies only existing files that .dockerignore allows", () => {
    const allowed = new Set(
      readFileSync(join(root, ".dockerignore"), "utf8")
        .split("\n")
        .filter((line) => line.startsWith("!"))
        .map((line) => line.slice(1)),
    );
    const copied = instructions
      .filter(({ word, rest }) => word === "COPY" && !rest.startsWith("--from"))
      .flatMap(({ rest }) => rest.split(" ").slice(0, -1))
      .filter((path) => path !== ".");
    expect(copied.length).toBeGreaterThan(3);
    expect(copied.filter((path) => !existsSync(join(root, path)) || !allowed.has(path))).toEqual([]);
    // test/package.test.ts builds a copy with only the allowed files.
    const needed = ["src", "web", "scripts", "tsconfig.json", "tsconfig.build.json"];
    expect(needed.filter((path) => !allowed.has(path))).toEqual([]);
  });
});

describe("the program as started by the image", () => {
  let app: CompiledApp;
  const folder = mkdtempSync(join(tmpdir(), "tongate-image-"));
  const data = join(folder, "data");

  /**
   * An unprivileged user, if the test may become one; otherwise the current user, who does not own the program files.
   */
  let user: { readonly uid?: number; readonly gid?: number } = {};

  beforeAll(async () => {
    app = await compileApp();
    mkdirSync(data);
    const tree = dirname(dirname(dirname(app.cli)));
    chmodSync(tree, 0o755);
    if (process.getuid?.() !== 0) return;
    const nobody = { uid: 65_534, gid: 65_534 };
    const { status } = spawnSync(
      process.execPath,
      ["-e", `require("fs").readFileSync(${JSON.stringify(app.cli)})`],
      nobody,
    );
    // Other users cannot read a repository in a closed folder.
    if (status !== 0) return;
    for (const path of [folder, data]) chownSync(path, nobody.uid, nobody.gid);
    user = nobody;
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** The command line of the image, with paths of this machine. */
  function commandLine(port: number) {
    const words = [...JSON.parse(find("ENTRYPOINT")), ...JSON.parse(find("CMD"))] as string[];
    const [node, program, ...args] = words;
    expect([node, program]).toEqual(["node", "/app/dist/app/cli.js"]);
    return {
      args: [app.cli, ...args],
      env: { ...environment, TONGATE_DATA: data, TONGATE_PORT: `${port}`, TONGATE_LIMITS: "off" },
    };
  }

  it("answers, passes its health check, writes only to its data and temporary folders, and stops by SIGTERM", async () => {
    const { args, env } = commandLine(await freePort());
    const before = snapshot(dirname(dirname(dirname(app.cli))));
    const child = spawn(process.execPath, args, { env, cwd: folder, ...user, stdio: ["ignore", "pipe", "pipe"] });
    const ended = once(child, "exit");
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    child.stdout.resume();
    child.stderr.resume();
    const check = JSON.parse(/CMD (\[.*\])$/.exec(find("HEALTHCHECK"))?.[1] ?? "[]") as string[];
    const isHealthy = () => spawnSync(process.execPath, check.slice(1), { env }).status === 0;
    await expect.poll(isHealthy, { timeout: 500_000, interval: 500 }).toBe(true);
    const origin = `http://127.0.0.1:${env.TONGATE_PORT}`;
    expect((await fetch(`${origin}/api/v2/getMasterchainInfo`)).status).toBe(200);
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    const shown = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    // A local network has no lite servers and no Redis.
    const dashboards = [...readDeployFiles()].filter(([path]) => path.startsWith("grafana/")).map(([, text]) => text);
    const named =
      dashboards.join().match(/\b(?:tongate_(?!lite_|limits_|head_age)|process_|nodejs_)[a-z0-9_]*[a-z0-9]/g) ?? [];
    const families = new Set(named.map((name) => name.replace(/_(?:bucket|sum|count)$/, "")));
    expect([...families].filter((name) => !shown.has(name))).toEqual([]);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(snapshot(dirname(dirname(dirname(app.cli))))).toEqual(before);
    expect(readdirSync(folder)).toEqual(["data"]);
  });
});

/** Every file in a folder with its size and time: a read-only file system would reject any change. */
function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => ({ path, ...statOf(join(folder, path)) }))
    .map(({ path, size, mtimeMs }) => `${path} ${size} ${mtimeMs}`)
    .sort();
}

function statOf(path: string): { readonly size: number; readonly mtimeMs: number } {
  const { size, mtimeMs } = statSync(path);
  return { size, mtimeMs };
}
