import type { NetworkEntry } from "../NetworkPlan.ts";

/** Published data of the test network: what is needed to find it and to check its blocks. */
export const testnet: NetworkEntry = {
  coin: { name: "Gram", symbol: "GRAM" },
  liteServers: [
    "49.12.147.32:27842 sU7QavX2F964iI9oToP9gffQpCQIoOLppeqL/pdPvpM=",
    "168.119.95.207:27787 Y/QVf6G5VDiKTZOKitbFVm067WsuocTN8Vg036A4zGk=",
    "168.119.82.221:51088 Sy5ghr3EahQd/1rDayzZXt5+inlfF+7kLfkZDJcU/ek=",
    "109.236.80.17:37537 K1F7zEe0ETf+SwkefLS56hJE8x42sjCVsBJJuaY7nEA=",
    "109.236.80.69:34411 pOpRRpIxDuMRm1qFUPpvVjD62vo8azkO0npw4FPcW/I=",
    "62.112.8.51:37649 pRf2sAa7d+Chl8gDclWOMtthtxjKnLYeAIzk869mMvA=",
    "94.237.45.107:13833 QpVqQiv1u3nCHuBR3cg3fT6NqaFLlnLGbEgtBRukDpU=",
    "69.67.151.218:35939 97y55AkdzXWyyVuOAn+WX6p66XTNs2hEGG0jFUOkCIo=",
    "178.63.63.122:20700 dGLlRRai3K9FGkI0dhABmFHMv+92QEVrvmTrFf5fbqA=",
    "116.202.225.189:20700 24RL7iVI20qcG+j//URfd/XFeEG9qtezW2wqaYQgVKw=",
    "207.188.7.51:20700 vunMV7K35yPlTQPx/Fqk6s+4/h5lpcbP+ao0Cy3M2hw=",
    "65.108.141.177:17439 0MIADpLH4VQn+INHfm0FxGiuZZAA8JfTujRqQugkkA8=",
    "65.21.238.183:16351 Mf/JGvcWAvcrN3oheze8RF/ps6p7oL6ifrIzFmGQFQ8=",
  ],
};
