import { contract } from "../../kit/contract.ts";

export const jettonMasterInterface = contract({
  name: "jetton_master",
  methods: ["get_jetton_data", "get_wallet_address"],
});

export const jettonWalletInterface = contract({
  name: "jetton_wallet",
  methods: ["get_wallet_data"],
});

export const jettonWalletV1 = contract({
  name: "jetton_wallet_v1",
  codes: ["vrBoPr64kn/p/I7AoYvH3ReJlomCWhIeq0bFo6hg0M4="],
});

export const jettonWalletV2 = contract({
  name: "jetton_wallet_v2",
  codes: ["jSjqQht36AX+pSrPM1KWSZ8Drsjp/SHdtfJWSqZcSN4="],
});

export const jettonWalletGoverned = contract({
  name: "jetton_wallet_governed",
  codes: ["iUaPAseOVwgC45l5yFFvw43wfqdqSDV+BTbyuns+43s="],
});
