import { type Address, makeAddress } from "../../../model/Address.ts";
import { type Hash, parseHash } from "../../../model/Hash.ts";
import type { Facts } from "../../engine/Facts.ts";

/** The protocol's id of TON. */
export const tonAssetId = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an;

/** The jettons behind the other ids (v3-actions.md §4): accounts of their masters in the basechain. */
const masters: Readonly<Record<Facts["network"], ReadonlyMap<Hash, Address>>> = {
  mainnet: jettons([
    [
      "b387968236197958ca4ac55e9b5be38e688c7631af84c86756431f49a878ef33",
      "729c13b6df2c07cbf0a06ab63d34af454f3d320ec1bcd8fb5c6d24d0806a17c2",
    ],
    [
      "83d916c68510802104d1f75aa6ce30eb1e477aede0d380eee2188e0e56581fc6",
      "7e30fc2b7751ba58a3642f3fd59d5e96a810ddd78d8a310bfe8353bef10500df",
    ],
    [
      "495668e908644f30322b997de8faaafc21f05aa52f8982f042dac1fe0b4d09d0",
      "cd872fa7c5816052acdf5332260443faec9aacc8c21cca4d92e7f47034d11892",
    ],
    [
      "3313e2f57ba870af34480350c789b0987d15b43a53172bfce294de21e7d724e7",
      "bdf3fa8098d129b54b4f73b5bac5d1e1fd91eb054169c3916dfc8ccd536d1000",
    ],
    [
      "ca9006bd3fb03d355daeeff93b24be90afaa6e3ca0073ff5720f8a852c933278",
      "b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe",
    ],
    [
      "e025e6a575f174da6d62577c1fe204ccaa5d1e47c55c6b20c67daee56c357b60",
      "3e5ffca8ddfcf36c36c9ff46f31562aab51b9914845ad6c26cbde649d58a5588",
    ],
    [
      "9c77a4d798a8f500dcfb877a07227c4ca9d6782504cdc7ce2ad0051e5641c032",
      "8d636010dd90d8c0902ac7f9f397d8bd5e177f131ee2cca24ce894f15d19ceea",
    ],
    [
      "6bfa124cc1343d14ba57ded299f6f514f5f26777099e3c378922ce4081ecbf91",
      "aea78c710ae94270dc263a870cf47b4360f53cc5ed38e3db502e9e9afb904b11",
    ],
    [
      "e08b1f092e7240fb61bf8249d71aa635102acdd50122138105c35dd2896b5331",
      "fe72f474373e97032441bdb873f9a6d3ad10bab08e6dbc7befa5e42b695f5400",
    ],
    [
      "70930360b81e5f4ef2e06d2bf64978b44d4b87fb85d78788e001cdf8812d13d1",
      "afc49cb8786f21c87045b19ede78fc6b46c51048513f8e9a6d44060199c1bf0c",
    ],
    [
      "8be3365cabaa6a0f90d2e64f03fa78268c135fe0b0758b576b447e9b2068d75d",
      "2f956143c461769579baef2e32cc2d7bc18283f40d20bb03e432cd603ac33ffc",
    ],
    [
      "b372eaca5210612d285f3fdd30e87a0c3a443f1bb7578e16da72563241997ca1",
      "1f1798f724c2296652e6002bfb51bed11fb5a689532e5788af7203581ef367a8",
    ],
    [
      "b8a51f42ccbb912d973e58a22dda26decc7dfc83718c325c24432045ad78dc5a",
      "e8cb571401b1aadb9defc1fa0f72a4a5a0e0d5016903067891d763c91541e72b",
    ],
    [
      "c585bac25948a5feea8f2a9e052eb45995882b15dfb784b37cd271cc163f3aea",
      "5ee20b5240cc4ce51a4c60baf8c9d358ef617c26463e89c6571b534972c8eef1",
    ],
    [
      "d9496f9b279a4e26c49eb65d5c47c79b6dfdea16c9baefa9158a7dfbbbcac04a",
      "086fa2a675f74347b08dd4606a549b8fdb98829cb282bc1949d3b12fbaed9dcc",
    ],
    [
      "4a4bae807cc87355de2ead44b21a739d9d35e9bba9a217f5cc9c0108197ad137",
      "d0e545323c7acb7102653c073377f7e3c67f122eb94d430a250739f109d4a57d",
    ],
  ]),
  testnet: jettons([
    [
      "b387968236197958ca4ac55e9b5be38e688c7631af84c86756431f49a878ef33",
      "5ee20b5240cc4ce51a4c60baf8c9d358ef617c26463e89c6571b534972c8eef1",
    ],
    [
      "83d916c68510802104d1f75aa6ce30eb1e477aede0d380eee2188e0e56581fc6",
      "da639c946ad6271de8bbdc706a457fcec7d2cad979d1ed7b8263d3050b620d6d",
    ],
    [
      "495668e908644f30322b997de8faaafc21f05aa52f8982f042dac1fe0b4d09d0",
      "b70eec37760f24f7cc5fe52ec19bb60e595279416f219b788ba857c97dafe0f6",
    ],
    [
      "b8a51f42ccbb912d973e58a22dda26decc7dfc83718c325c24432045ad78dc5a",
      "e8cb571401b1aadb9defc1fa0f72a4a5a0e0d5016903067891d763c91541e72b",
    ],
    [
      "c585bac25948a5feea8f2a9e052eb45995882b15dfb784b37cd271cc163f3aea",
      "5ee20b5240cc4ce51a4c60baf8c9d358ef617c26463e89c6571b534972c8eef1",
    ],
  ]),
};

function jettons(list: readonly (readonly [id: string, account: string])[]): ReadonlyMap<Hash, Address> {
  return new Map(list.map(([id, account]) => [parseHash(id), makeAddress(0, account)]));
}

/** The jetton of an asset id; TON is known and has none. */
export function findAsset(
  id: bigint,
  { network }: Facts,
): { readonly isKnown: boolean; readonly asset: Address | undefined } {
  const asset = masters[network].get(parseHash(id.toString(16).padStart(64, "0")));
  return { isKnown: id === tonAssetId || asset !== undefined, asset };
}
