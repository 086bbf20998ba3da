import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";

const gramMiner = contract({
  name: "gram_miner",
  codes: ["zK5v+2A8fT53mrWewmf/wi3B6+CvmDmQIomnqD5MAPE="],
  methods: ["get_pow_params"],
});

/** Gram miners. */
export const family = declareFamily({ interfaces: [gramMiner] });
