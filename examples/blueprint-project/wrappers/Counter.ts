import {
  type Address,
  beginCell,
  type Cell,
  type Contract,
  type ContractProvider,
  contractAddress,
  type Sender,
} from "@ton/core";

/** A contract that counts the coins that come. */
export class Counter implements Contract {
  readonly address: Address;
  readonly init: { readonly code: Cell; readonly data: Cell };

  constructor(code: Cell) {
    this.init = { code, data: beginCell().storeCoins(0).endCell() };
    this.address = contractAddress(0, this.init);
  }

  /** The first one deploys it. */
  async sendCoins(provider: ContractProvider, via: Sender, value: bigint): Promise<void> {
    await provider.internal(via, { value });
  }

  async getSum(provider: ContractProvider): Promise<bigint> {
    return (await provider.get("sum", [])).stack.readBigNumber();
  }
}
