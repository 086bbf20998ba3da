/** The table whose locks keep commits and new snapshots apart. */
export const gateTable = "snapshot_gate";
/** A table with a part on every machine, so that reading it begins a snapshot on each of them. */
export const probeTable = "snapshot_probe";

/** Makes the table of the lock, which every transaction that writes needs. */
export const makeGate = `create table if not exists ${gateTable} ()`;
/** The end of a transaction that writes: the lock is held until all machines have committed. */
export const closeGate = `lock table ${gateTable} in row exclusive mode`;
/** Begins the snapshots of all machines. */
export const probe = `select count(*) as count from ${probeTable}`;
