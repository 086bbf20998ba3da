import { contract } from "../../kit/contract.ts";

export const dns = contract({
  name: "dns",
  methods: ["dnsresolve"],
});
