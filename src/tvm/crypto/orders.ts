/** Order of ristretto255. */
export const ristrettoOrder = (1n << 252n) + 27742317777372353535851937790883648493n;

/** Order of both BLS groups. */
export const blsOrder = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
