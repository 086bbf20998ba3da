import { parseHash } from "../../../model/Hash.ts";
import { dataLayout, storedAccount, storedAddress } from "../../kit/dataLayout.ts";
import { cellRef, coins, uint, uint256 } from "../../kit/fields.ts";

export const jettonWalletV1Code = "vrBoPr64kn/p/I7AoYvH3ReJlomCWhIeq0bFo6hg0M4=";

const parties = { owner: storedAccount, jetton: storedAccount };

// balance:Coins owner:MsgAddress jetton:MsgAddress wallet_code:^Cell
export const walletWithCode = dataLayout(
  [
    parseHash(jettonWalletV1Code),
    parseHash("St9IE1y1da267Udnmch/8pBCabH5Sa2k0EeekQS28hc="),
    // Also shares in pools of DeDust.
    parseHash("p2DWKdU0PnbQRQF9ncIW/IoweoN3gV/rKwpcSQ5zNIY="),
    // Shares in pools of STON.fi and of swap.coffee.
    parseHash("CFfN2Jx0hEFQys01zQIL75Fny+Es0zDfuMd5wU1rFVI="),
    parseHash("5c5gBcC3ENmyyuUH3K8ZXfis49aGnH2QsXp79aG7+Fg="),
  ],
  { balance: coins, ...parties, walletCode: cellRef },
);

// status:uint4 balance:Coins owner:MsgAddress jetton:MsgAddress
export const walletWithStatus = dataLayout(
  [
    parseHash("j0Utek39dAZraCNlF3JZ7QVzRDW+drX9S9XYryt8PWg="),
    parseHash("uikYyJR+myWvmsG4gzV3VBc+WBL4B6PW5kKhRwlZU5U="),
  ],
  { status: uint(4), balance: coins, ...parties },
);

// balance:Coins owner:MsgAddress jetton:MsgAddress
export const bareWallet = dataLayout([parseHash("NGJQwgX1as+2r6b+e3ZVCAXSVsbY5H3U+U/2crR9GdM=")], {
  balance: coins,
  ...parties,
});

// status:uint4 balance:Coins owner:MsgAddress jetton:MsgAddress merkle_root:uint256 salt:uint10
export const mintlessWallet = dataLayout([parseHash("DxrT2KRr0oMyHd5jkZX7cmAumzGxcn/swl4u3BCWbfQ=")], {
  status: uint(4),
  balance: coins,
  ...parties,
  merkleRoot: uint256,
  salt: uint(10),
});

const content = { ...cellRef, abi: "content" as const };

/** Minters whose wallets contain their own code. */
// total_supply:Coins admin:MsgAddress content:^Cell wallet_code:^Cell
export const plainMinter = dataLayout(
  [
    parseHash("BXGXbGPsG3VQIwomCdvts24bZO+NAioWs06lcGMYWy8="),
    parseHash("+VugMws4zfNFmx6BHl/G+mz+5WbXt2RFXARoFANlpzc="),
    parseHash("mg+Y3W+/Il7vgWXk5kQX7pMffuoABlNDnntdzcBkTNY="),
    parseHash("4LeOjpESo4WutQnJgyQzOk+eXOv6zFBCuVxyNzxNfTk="),
  ],
  { totalSupply: coins, admin: storedAddress, content, walletCode: cellRef },
);

/** Minters of wallets with a status. */
// total_supply:Coins admin:MsgAddress next_admin:MsgAddress wallet_code:^Cell metadata_uri:^Cell
export const statusMinter = dataLayout(
  [
    parseHash("+D0FSQr3ycxYAZSIx7JTyUktScJdEtCTg+UugVN+NDo="),
    parseHash("GNW254D/C7RRJUwsdg0J1uSFY4zRQHq7lweHUsPBye4="),
  ],
  { totalSupply: coins, admin: storedAddress, nextAdmin: storedAddress, walletCode: cellRef, metadata: cellRef },
);
