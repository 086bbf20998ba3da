import { CellError } from "../../cell/base/errors.ts";
import { tagged, uint32, uint64, unit, type ValueOf } from "../../cell/codec.ts";
import { dictionary } from "../../cell/dictionary.ts";
import { hashKey, type KeyCodec } from "../../cell/keys.ts";
import { type Address, accountOf, makeAddress, workchainOf } from "../Address.ts";

// key is [ wc:int32 addr:uint256 ]
/** Accounts of any workchain as keys of 288 bits. */
export const addressKey: KeyCodec<Address> = {
  bits: 288,
  encode: (address) => {
    const key = Buffer.alloc(36);
    const workchain = workchainOf(address);
    if (workchain !== (workchain | 0))
      throw new CellError("cell/dictionary-key", `${address} is not a key of 288 bits`);
    key.writeInt32BE(workchain);
    key.write(accountOf(address), 4, "hex");
    return key;
  },
  decode: (bits) => {
    const key = Buffer.from(bits.buffer, bits.byteOffset, 36);
    return makeAddress(key.readInt32BE(), key.toString("hex", 4));
  },
};

// suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32 = SuspendedAddressList;
export const SuspendedAddressList = tagged("#00", {
  addresses: dictionary(addressKey, unit),
  suspendedUntilAt: uint32,
});
export type SuspendedAddressList = ValueOf<typeof SuspendedAddressList>;

// precompiled_smc#b0 gas_usage:uint64 = PrecompiledSmc;
export const PrecompiledSmc = tagged("#b0", { gasUsage: uint64 });

// precompiled_contracts_config#c0 list:(HashmapE 256 PrecompiledSmc) = PrecompiledContractsConfig;
/** By the hash of the code. */
export const PrecompiledContractsConfig = tagged("#c0", { list: dictionary(hashKey, PrecompiledSmc) });

// _ fundamental_smc_addr:(HashmapE 256 True) = ConfigParam 31;
/** Accounts of the masterchain. */
export const FundamentalContracts = dictionary(hashKey, unit);
