/**
 * The active leaf of a chart without parallel regions, as a dotted path: `{open: 'inReview'}` is
 * `open.inReview`. Tables and queries use this form. Throws a `RangeError` for parallel regions.
 */
export function statePath(value: StateValue): string {
  const steps: string[] = [];
  let rest: StateValue | undefined = value;
  while (typeof rest === 'object') {
    const [step, ...others]: string[] = Object.keys(rest);
    if (step === undefined || others.length > 0)
      throw new RangeError('a chart with parallel regions has no single leaf');
    steps.push(step);
    rest = rest[step];
  }
  if (rest !== undefined) steps.push(rest);
  return steps.join('.');
}

type StateValue = string | { readonly [state: string]: StateValue | undefined };
