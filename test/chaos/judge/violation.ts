/** Something that must never be, in words, and what checked it. */
export interface Finding {
  readonly check: string;
  /** How many things were looked at. */
  readonly looked: number;
  readonly violations: readonly string[];
}

export function finding(check: string, looked: number, violations: readonly string[]): Finding {
  return { check, looked, violations };
}
