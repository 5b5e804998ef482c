import { type FormEvent, useState } from 'react';
import { useDeadLetters, useStageRun } from '../../api/operator.ts';
import { hrefOf } from '../../routing/paths.ts';
import { navigate } from '../../routing/router.ts';
import { toast } from '../../state/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { AreaField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';

/** Plans to try every open dead letter again. It is started from the page of runs, by whoever looks at the plan there. */
export function RetryAll() {
  const letters = useDeadLetters();
  const total = letters.data?.pages[0]?.total ?? 0;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  if (total === 0) return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Try all again</Button>
      <Dialog title="Try all dead letters again" isOpen={isOpen} close={close}>
        <RetryForm total={total} close={close} />
      </Dialog>
    </>
  );
}

// Helpers

function RetryForm({ total, close }: { readonly total: number; close(): void }) {
  const stage = useStageRun();
  const [reason, setReason] = useState('');
  const [requestId] = useState(() => crypto.randomUUID());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    stage.mutate(
      { task: { what: 'retry_dead_letter' }, reason: reason.trim(), requestId },
      {
        onSuccess: (run) => {
          toast(`Planned for ${run.total.toLocaleString('en')} dead letters. Nothing is tried before you start it.`);
          navigate(hrefOf('runs', {}));
        },
      },
    );
  };
  return (
    <form className="form" onSubmit={submit}>
      <p>
        {`This writes down a run for ${total === 1 ? 'the one open dead letter' : `all ${total.toLocaleString('en')} open dead letters`}, whatever is filtered on this page. `}
        Nothing is tried before the run is started; what fails again stays a dead letter.
      </p>
      <AreaField
        label="Reason"
        hint="Kept under your name. Say what was mended meanwhile."
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {stage.error === null ? null : <Problem error={stage.error} />}
      <div className="button-row">
        <Button type="submit" look="main" isBusy={stage.isPending} disabled={reason.trim() === ''}>
          Plan the run
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}
