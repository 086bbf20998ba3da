import { contract } from "../../kit/contract.ts";

export const cron = contract({
  name: "cron",
  methods: ["get_cron_info"],
});
