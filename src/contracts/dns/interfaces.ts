import { contract } from "../contract.ts";

export const dns = contract({
  name: "dns",
  methods: ["dnsresolve"],
});
