import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The files that the image build gets, so that a build that needs more fails here, and the other packed folders. */
function listParts(root: string): string[] {
  const lines = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
  const allowed = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  return [...allowed, "deploy", "examples"];
}

export interface PackedRepository {
  readonly tongate: string;
  readonly client: string;
}

/** Builds and packs both packages in a copy, so that the build folder of the repository does not change. */
export async function packRepository(root: string, temporary: string): Promise<PackedRepository> {
  const copy = mkdtempSync(join(temporary, "repository-"));
  for (const part of listParts(root)) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  skipTypeCheck(join(copy, "tsconfig.build.json"));
  const tarballs = join(temporary, "tarballs");
  mkdirSync(tarballs);
  const pack = async (folder: string) => {
    const { stdout } = await runNpm(["pack", "--json", "--silent", "--pack-destination", tarballs], folder);
    const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
    return join(tarballs, filename);
  };
  const tongate = await pack(copy);
  await run(process.execPath, ["scripts/clientPackage.mjs"], copy);
  return { tongate, client: await pack(join(copy, "dist-client")) };
}

/** `npm test` checks all types beside the tests. */
function skipTypeCheck(path: string): void {
  const project = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...project, compilerOptions: { ...project.compilerOptions, noCheck: true } }));
}

/** Runs npm without the settings of the current user and process. */
export function runNpm(
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Written> {
  return run("npm", args, cwd, { ...npmEnvironment(cwd), ...more });
}

/** The npm cache and logs must be outside the folder, or they would be packed. */
export function npmEnvironment(cwd: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: join(cwd, "..", "home"),
    npm_config_update_notifier: "false",
    npm_config_fund: "false",
    npm_config_audit: "false",
  };
}

/** The output of a successful program. */
export interface Written {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without blocking, so that a registry in this process keeps answering. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Written> {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (more) => (written[name] += more));
  const [status] = (await once(child, "close")) as [number | null];
  if (status === 0) return written;
  throw new Error(`${command} ${args.join(" ")} exited with ${status}\n${written.stdout}\n${written.stderr}`);
}
