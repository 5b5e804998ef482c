/** The result of one check, with descriptions of its violations. */
export interface Finding {
  readonly check: string;
  /** Number of things checked. */
  readonly cases: number;
  readonly violations: readonly string[];
}

export function finding(check: string, cases: number, violations: readonly string[]): Finding {
  return { check, cases, violations };
}
