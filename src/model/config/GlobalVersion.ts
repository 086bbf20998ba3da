import { tagged, uint32, uint64, type ValueOf } from "../../cell/codec.ts";

// capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion;
export const GlobalVersion = tagged("#c4", { version: uint32, capabilities: uint64 });
export type GlobalVersion = ValueOf<typeof GlobalVersion>;
