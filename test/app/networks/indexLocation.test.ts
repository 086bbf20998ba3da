import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/app/config.ts";
import { describeLocation, indexLocation, refuseNameless } from "../../../src/app/networks/indexLocation.ts";

const [one, two] = ["postgres://me:secret@host:5/one", "postgres://host/two"];

function load(args: readonly string[], networks: object = {}) {
  const files: Readonly<Record<string, string>> = { "tongate.json": JSON.stringify({ networks }) };
  return loadConfig(["--data", "data", ...args], { environment: {}, findFile: (path) => files[path] }).config;
}

const postgres = (url: string, schema: string | undefined, isShared: boolean) => ({
  kind: "postgres",
  ...{ url, schema, isShared },
});

describe("the index of a network", () => {
  it("is in the data folder without a database", () => {
    const config = load(["--network", "localnet,mainnet"]);
    expect(indexLocation(config, { name: "localnet" })).toEqual({ kind: "embedded", folder: "data/localnet/index" });
    expect(indexLocation(config, { name: "mainnet" })).toEqual({ kind: "embedded", folder: "data/index/mainnet" });
  });

  it("has the database alone, or shares it with the other networks of the process", () => {
    expect(indexLocation(load(["--network", "mainnet", "--database", one]), { name: "mainnet" })).toEqual(
      postgres(one, "mainnet", false),
    );
    const both = load(["--network", "mainnet,local", "--database", one]);
    for (const name of ["mainnet", "localnet"])
      expect(indexLocation(both, { name })).toEqual(postgres(one, name, true));
  });

  it("has its own database if the file sets one, and shares it only with networks of the same setting", () => {
    const networks = { mainnet: { database: two }, testnet: {}, localnet: { database: one } };
    const config = load(["--network", "mainnet,testnet,localnet", "--database", one], networks);
    expect(["mainnet", "testnet", "localnet"].map((name) => indexLocation(config, { name }))).toEqual([
      postgres(two, "mainnet", false),
      postgres(one, "testnet", true),
      postgres(one, "localnet", true),
    ]);
    const [first, ...others] = ["testnet", "some/testnet.json"].map((given) =>
      indexLocation(load(["--network", given], { testnet: { database: two } }), { name: "testnet" }),
    );
    expect([first, ...others]).toEqual(Array(2).fill(postgres(two, "testnet", false)));
  });

  it.each([`pg_x`, `public`, `a"b`, `information_schema`, "x".repeat(64)])(
    "cannot share a database if the network is called %s",
    (name) => {
      const config = load(["--network", `${name}.json,mainnet`, "--database", one]);
      expect(() => refuseNameless(config, [{ name: "mainnet" }, { name }])).toThrow(
        `the name of network ${name} cannot be a schema of the shared database; give the network its own "database"`,
      );
      expect(() => refuseNameless(load(["--network", `${name}.json`, "--database", one]), [{ name }])).not.toThrow();
    },
  );

  it("is shown without passwords, with the schema it was found in", () => {
    const location = indexLocation(load(["--database", one]), { name: "localnet" });
    expect([
      describeLocation(location),
      describeLocation(location, "red"),
      describeLocation({ kind: "embedded", folder: "f" }),
    ]).toEqual(["PostgreSQL at host:5/one", "PostgreSQL at host:5/one, schema red", "f"]);
  });
});
