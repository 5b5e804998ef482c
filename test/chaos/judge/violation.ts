/** The result of one check, with descriptions of its violations. */
export interface Finding {
  readonly check: string;
  /** Number of things checked. */
  readonly looked: number;
  readonly violations: readonly string[];
}

export function finding(check: string, looked: number, violations: readonly string[]): Finding {
  return { check, looked, violations };
}
