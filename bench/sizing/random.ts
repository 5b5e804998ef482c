/** Pseudorandom numbers from a seed (mulberry32). */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Exponential with this mean: gaps between independent arrivals. */
  exponential(mean: number): number;
  /** Log-normal with this median and spread (sigma of the logarithm). */
  logNormal(median: number, sigma: number): number;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    exponential: (mean) => -mean * Math.log(1 - next()),
    logNormal(median, sigma) {
      // Box-Muller transform: a normal variate from two uniforms.
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(sigma * normal);
    },
  };
}
