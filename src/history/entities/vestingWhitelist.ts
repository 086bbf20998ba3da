import { address } from "../store/schema/columns.ts";
import { keepExisting } from "../store/schema/conflictRule.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";

export const vestingWhitelist = table("vesting_whitelist", {
  vestingAddress: address,
  walletAddress: address,
});

export const vestingWhitelistEntity = indexedEntity({
  table: vestingWhitelist,
  account: "vestingAddress",
  key: ["vestingAddress", "walletAddress"],
  conflict: keepExisting,
  rows: {
    vesting: ({ whitelist }, place) =>
      whitelist.map((walletAddress) => ({ vestingAddress: place.address, walletAddress })),
  },
});
