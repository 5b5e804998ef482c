/** A placeholder of the expected size while data loads, visible only after a short delay. */
export function Loading({ label, lines = 3 }: { readonly label: string; readonly lines?: number }) {
  return (
    <div className="loading" role="status">
      <span className="unseen">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        // The lines are identical, so the index is the key.
        <span key={line} className="loading-line" />
      ))}
    </div>
  );
}

interface ProgressProps {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

export function Progress({ label, done, total }: ProgressProps) {
  return (
    <div className="progress">
      <progress aria-label={label} value={done} max={Math.max(total, 1)} />
      <span className="number soft">
        {done.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
    </div>
  );
}
