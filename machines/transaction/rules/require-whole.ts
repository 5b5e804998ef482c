/** Throws a `RangeError` that names the value and its bounds, both included. */
export function requireWhole(what: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${what} must be a whole number from ${min} to ${max}, got ${value}`);
}
