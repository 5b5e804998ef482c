/** Something is being fetched. Keeps the room of what will come, and shows itself only when it takes a while. */
export function Loading({ label, lines = 3 }: { readonly label: string; readonly lines?: number }) {
  return (
    <div className="loading" role="status">
      <span className="unseen">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        // The lines are all alike, and so are their keys.
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

/** How much of a known whole is done. */
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
