import { contract } from "../../kit/contract.ts";
import * as messages from "./messages.ts";
import * as parts from "./parts.ts";

export const walletV1r1 = contract({
  name: "wallet_v1r1",
  codes: ["oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how="],
  receives: [messages.walletSignedV1V2],
  storage: [parts.plainData],
  errors: parts.earlyErrors,
});

export const walletV1r2 = contract({
  name: "wallet_v1r2",
  codes: ["1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw="],
  methods: [parts.seqno],
  receives: [messages.walletSignedV1V2],
  storage: [parts.plainData],
  errors: parts.earlyErrors,
});

export const walletV1r3 = contract({
  name: "wallet_v1r3",
  codes: ["WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8="],
  methods: [parts.seqno, parts.getPublicKey],
  receives: [messages.walletSignedV1V2],
  storage: [parts.plainData],
  errors: parts.earlyErrors,
});

export const walletV2r1 = contract({
  name: "wallet_v2r1",
  codes: ["XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk="],
  methods: [parts.seqno],
  receives: [messages.walletSignedV1V2],
  storage: [parts.plainData],
  errors: parts.earlyErrors,
});

export const walletV2r2 = contract({
  name: "wallet_v2r2",
  codes: ["/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E="],
  methods: [parts.seqno, parts.getPublicKey],
  receives: [messages.walletSignedV1V2],
  storage: [parts.plainData],
  errors: parts.earlyErrors,
});

export const walletV3r1 = contract({
  name: "wallet_v3r1",
  codes: ["thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE="],
  methods: [parts.seqno],
  receives: [messages.walletSignedV3],
  storage: [parts.dataWithId],
  errors: parts.signedErrors,
});

export const walletV3r2 = contract({
  name: "wallet_v3r2",
  codes: ["hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk="],
  methods: [parts.getPublicKey, parts.seqno],
  receives: [messages.walletSignedV3],
  storage: [parts.dataWithId],
  errors: parts.signedErrors,
});

export const walletV4r1 = contract({
  name: "wallet_v4r1",
  codes: ["ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0="],
  methods: [parts.getPluginList, parts.isPluginInstalled, parts.getPublicKey, parts.seqno, parts.getSubwalletId],
  receives: [messages.walletSignedV4, messages.walletPluginDestruct],
  sends: [messages.walletPluginInstallationNotification, messages.walletPluginDestructResponse],
  storage: [parts.dataWithPlugins],
  errors: parts.signedErrors,
});

export const walletV4r2 = contract({
  name: "wallet_v4r2",
  codes: ["/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA="],
  methods: [parts.getPluginList, parts.isPluginInstalled, parts.getPublicKey, parts.seqno, parts.getSubwalletId],
  receives: [messages.walletSignedV4, messages.walletPluginDestruct],
  sends: [messages.walletPluginInstallationNotification, messages.walletPluginDestructResponse],
  storage: [parts.dataWithPlugins],
  errors: parts.signedErrors,
});

export const walletV5Beta = contract({
  name: "wallet_v5_beta",
  codes: ["89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=", "5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI="],
  methods: [parts.seqno],
  receives: [messages.w5ExternalSignedRequest, messages.w5InternalSignedRequest, messages.w5ExtensionActionRequest],
  storage: [parts.betaData],
  errors: parts.v5Errors,
});

export const walletV5r1 = contract({
  name: "wallet_v5r1",
  codes: ["IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8="],
  methods: [parts.seqno, parts.getPublicKey, parts.getSubwalletId, parts.getExtensions, parts.isSignatureAllowed],
  receives: [messages.w5ExternalSignedRequest, messages.w5InternalSignedRequest, messages.w5ExtensionActionRequest],
  storage: [parts.dataWithExtensions],
  errors: parts.v5Errors,
});

/** Its code only jumps to the one in the configuration of the network, so that the hash never changes. */
export const telegramWallet = contract({
  name: "tg_wallet",
  codes: ["kUmuUcHkaJcQzr94MCl7Fqz7rbNjqSClN4k+f/7sp2g="],
  furtherMethods: [parts.seqno],
  storage: [parts.dataAfterRevision],
});

export const walletHighloadV1r1 = contract({
  name: "wallet_highload_v1r1",
  codes: ["2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ="],
  receives: [messages.highloadWalletSignedV1],
  storage: [parts.dataWithId],
  errors: parts.signedErrors,
});

export const walletHighloadV1r2 = contract({
  name: "wallet_highload_v1r2",
  codes: ["Dc7tISadZgE+lbGfu1xVpvAa2tQIN7qo5SHN46AqpGw="],
  receives: [messages.highloadWalletSignedV1],
  storage: [parts.dataWithId],
  errors: parts.signedErrors,
});

export const walletHighloadV2 = contract({
  name: "wallet_highload_v2",
  codes: ["lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI="],
  methods: [parts.getPublicKey],
  receives: [messages.highloadWalletSignedV2],
  storage: [parts.highloadV2Data],
  errors: parts.highloadV2Errors,
});

export const walletHighloadV2r1 = contract({
  name: "wallet_highload_v2r1",
  codes: ["jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E="],
  receives: [messages.highloadWalletSignedV2],
  storage: [parts.highloadV2Data],
  errors: parts.highloadV2Errors,
});

export const walletHighloadV2r2 = contract({
  name: "wallet_highload_v2r2",
  codes: ["ID3U81ittJmTEpqpJcrDmRa2ig5PeNJujywraer6Vnk="],
  receives: [messages.highloadWalletSignedV2],
  storage: [parts.highloadV2Data],
  errors: parts.highloadV2Errors,
});

export const walletHighloadV3r1 = contract({
  name: "wallet_highload_v3r1",
  codes: ["EayteVWEQJDyg78ji8FEmHH3g+fMCXlAjT9IWUg+hSU="],
  methods: [parts.getPublicKey, parts.getSubwalletId, parts.getTimeout],
  receives: [messages.highloadWalletSignedV3, messages.highloadV3InternalRequest],
  storage: [parts.highloadV3Data],
  errors: parts.highloadV3Errors,
});

export const walletPreprocessedV2 = contract({
  name: "wallet_preprocessed_v2",
  codes: ["Reu86bXSNYhstr/hw62TtwjeBYJEiSNlye4N/kOct7U="],
  receives: [messages.preprocessedWalletSignedV2],
  storage: [parts.preprocessedData],
});
