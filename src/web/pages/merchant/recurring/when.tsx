const WHEN = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** A date with its time and zone. Never "in 3 days": a test schedule has its own clock. */
export function When({ at }: { readonly at: number }) {
  return (
    <time className="moment" dateTime={new Date(at).toISOString()}>
      {WHEN.format(at)}
    </time>
  );
}

/** The date alone, for narrow columns; a tooltip shows the time. */
export function Day({ at }: { readonly at: number }) {
  return (
    <time className="moment" dateTime={new Date(at).toISOString()} title={WHEN.format(at)}>
      {DAY.format(at)}
    </time>
  );
}

export function whenText(at: number): string {
  return WHEN.format(at);
}
