const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** A date with its time. Never "in 3 days": the clock of a test schedule is another than that of whoever reads this. */
export function When({ at }: { readonly at: number }) {
  return (
    <time className="moment" dateTime={new Date(at).toISOString()}>
      {WHEN.format(at)}
    </time>
  );
}

/** The date alone, where there is little room; its time shows on pointing. */
export function Day({ at }: { readonly at: number }) {
  return (
    <time className="moment" dateTime={new Date(at).toISOString()} title={WHEN.format(at)}>
      {DAY.format(at)}
    </time>
  );
}

/** The moment as text. */
export function whenText(at: number): string {
  return WHEN.format(at);
}
