/** Numbers of connections at once. */
export interface Shares {
  /** All keys together; what is left is the service's own. */
  keys: number;
  /** Keys that are not known to be quick, together. */
  strangers: number;
}

/** With two connections or one there is none to spare for the service's own statements. */
export function sharesOf(poolSize: number): Shares {
  return {
    keys: poolSize > 2 ? poolSize - 1 : poolSize,
    strangers: Math.max(1, Math.floor(poolSize / 2)),
  };
}
