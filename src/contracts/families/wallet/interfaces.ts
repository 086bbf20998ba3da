import { contract } from "../../kit/contract.ts";

export const walletV1r1 = contract({
  name: "wallet_v1r1",
  codes: ["oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how="],
});

export const walletV1r2 = contract({
  name: "wallet_v1r2",
  codes: ["1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw="],
  methods: ["seqno"],
});

export const walletV1r3 = contract({
  name: "wallet_v1r3",
  codes: ["WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8="],
  methods: ["seqno", "get_public_key"],
});

export const walletV2r1 = contract({
  name: "wallet_v2r1",
  codes: ["XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk="],
  methods: ["seqno"],
});

export const walletV2r2 = contract({
  name: "wallet_v2r2",
  codes: ["/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E="],
  methods: ["seqno", "get_public_key"],
});

export const walletV3r1 = contract({
  name: "wallet_v3r1",
  codes: ["thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE="],
  methods: ["seqno"],
});

export const walletV3r2 = contract({
  name: "wallet_v3r2",
  codes: ["hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk="],
  methods: ["get_public_key", "seqno"],
});

export const walletV4r1 = contract({
  name: "wallet_v4r1",
  codes: ["ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0="],
  methods: ["get_plugin_list", "is_plugin_installed", "get_public_key", "seqno", "get_subwallet_id"],
});

export const walletV4r2 = contract({
  name: "wallet_v4r2",
  codes: ["/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA="],
  methods: ["get_plugin_list", "is_plugin_installed", "get_public_key", "seqno", "get_subwallet_id"],
});

export const walletV5Beta = contract({
  name: "wallet_v5_beta",
  codes: ["89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=", "5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI="],
  methods: ["seqno"],
});

export const walletV5r1 = contract({
  name: "wallet_v5r1",
  codes: ["IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8="],
  methods: ["seqno", "get_public_key", "get_subwallet_id", "get_extensions", "is_signature_allowed"],
});

/** Its code only jumps to the one in the configuration of the network, so that the hash never changes. */
export const telegramWallet = contract({
  name: "tg_wallet",
  codes: ["kUmuUcHkaJcQzr94MCl7Fqz7rbNjqSClN4k+f/7sp2g="],
});

export const walletHighloadV1r1 = contract({
  name: "wallet_highload_v1r1",
  codes: ["2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ="],
});

export const walletHighloadV1r2 = contract({
  name: "wallet_highload_v1r2",
  codes: ["Dc7tISadZgE+lbGfu1xVpvAa2tQIN7qo5SHN46AqpGw="],
});

export const walletHighloadV2 = contract({
  name: "wallet_highload_v2",
  codes: ["lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI="],
  methods: ["get_public_key"],
});

export const walletHighloadV2r1 = contract({
  name: "wallet_highload_v2r1",
  codes: ["jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E="],
});

export const walletHighloadV2r2 = contract({
  name: "wallet_highload_v2r2",
  codes: ["ID3U81ittJmTEpqpJcrDmRa2ig5PeNJujywraer6Vnk="],
});

export const walletHighloadV3r1 = contract({
  name: "wallet_highload_v3r1",
  codes: ["EayteVWEQJDyg78ji8FEmHH3g+fMCXlAjT9IWUg+hSU="],
  methods: ["get_public_key", "get_subwallet_id", "get_timeout"],
});

export const walletPreprocessedV2 = contract({
  name: "wallet_preprocessed_v2",
  codes: ["Reu86bXSNYhstr/hw62TtwjeBYJEiSNlye4N/kOct7U="],
});

export const walletVesting = contract({
  name: "wallet_vesting",
  codes: ["tItTGr7DtxRjgpH3137W3J9qJynvyiBHcTc3TUrotZA="],
  methods: ["seqno", "get_public_key", "get_vesting_data"],
});
