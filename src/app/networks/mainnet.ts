import type { NetworkEntry } from "../NetworkPlan.ts";

/** Published data of the main network: what is needed to find it and to check its blocks. */
export const mainnet: NetworkEntry = {
  coin: { name: "Gram", symbol: "GRAM" },
  liteServers: [
    "5.9.10.47:19949 n4VDnSCUuSpjnCyUk9e3QOOd6o0ItSWYbTnW3Wnn8wk=",
    "5.9.10.15:48014 3XO67K/qi+gu3T9v8G2hx1yNmWZhccL3O7SoosFo8G0=",
    "135.181.177.59:53312 aF91CuUHuuOv9rm2W5+O/4h38M3sRm40DtSdRxQhmtQ=",
    "135.181.140.212:13206 K0t3+IWLOXHYMvMcrGZDPs+pn58a17LFbnXoQkKc2xw=",
    "135.181.140.221:46995 wQE0MVhXNWUXpWiW5Bk8cAirIh5NNG3cZM1/fSVKIts=",
    "65.21.141.233:30131 wrQaeIFispPfHndEBc0s0fx7GSp8UFFvebnytQQfc6A=",
    "65.21.141.198:47160 vOe1Xqt/1AQ2Z56Pr+1Rnw+f0NmAA7rNCZFIHeChB7o=",
    "65.21.141.231:17728 BYSVpL7aPk0kU5CtlsIae/8mf2B/NrBi7DKmepcjX6Q=",
    "65.21.141.197:13570 iVQH71cymoNgnrhOT35tl/Y7k86X5iVuu5Vf68KmifQ=",
    "164.68.101.206:52995 QnGFe9kihW+TKacEvvxFWqVXeRxCB6ChjjhNTrL7+/k=",
    "164.68.99.144:20334 gyLh12v4hBRtyBygvvbbO2HqEtgl+ojpeRJKt4gkMq0=",
    "188.68.216.239:19925 ucho5bEkufbKN1JR1BGHpkObq602whJn3Q3UwhtgSo4=",
    "51.195.189.59:19434 J5CwYXuCZWVPgiFPW+NY2roBwDWpRRtANHSTYTRSVtI=",
    "51.195.189.140:23067 vX8d0i31zB0prVuZK8fBkt37WnEpuEHrb7PElk4FJ1o=",
    "135.181.132.198:53560 NlYhh/xf4uQpE+7EzgorPHqIaqildznrpajJTRRH2HU=",
    "135.181.132.253:46529 jLO6yoooqUQqg4/1QXflpv2qGCoXmzZCR+bOsYJ2hxw=",
    "54.39.158.156:51565 TDg+ILLlRugRB4Kpg3wXjPcoc+d+Eeb7kuVe16CS9z8=",
    "185.86.79.9:4701 G6cNAr6wXBBByWDzddEWP5xMFsAcp6y13fXA8Q7EJlM=",
  ],
};
