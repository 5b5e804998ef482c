import { RequestFailure } from '../../../api/request.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';

interface SaveBarProps {
  /** Whether every field is valid. */
  readonly canSave: boolean;
  readonly isSaving: boolean;
  /** Why the last attempt failed. */
  readonly error: Error | null;
  discard(): void;
}

/**
 * Shown while the form has unsaved changes, at the bottom of the window wherever it is scrolled.
 */
export function SaveBar({ canSave, isSaving, error, discard }: SaveBarProps) {
  return (
    <section className="save-bar" aria-label="Unsaved changes">
      <Rejection error={error} />
      <div className="button-row">
        <p role="status">{canSave ? 'You have unsaved changes' : 'Correct the marked fields to save'}</p>
        <Button type="submit" variant="main" isBusy={isSaving} disabled={!canSave}>
          Save
        </Button>
        <Button onClick={discard}>Discard</Button>
      </div>
    </section>
  );
}

// Helpers

/** Fields that another user has changed are marked in the form. */
function Rejection({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  if (!(error instanceof RequestFailure) || error.code !== 'CONFLICT') return <Problem error={error} />;
  return (
    <p className="notice" role="alert">
      Another user saved settings in the meantime, so yours were not saved. Differences are marked above. Save again to
      overwrite theirs.
    </p>
  );
}
