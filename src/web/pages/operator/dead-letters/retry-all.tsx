import { useState } from 'react';
import type { ReasonBody } from '../../../../http/console/operator/schemas.ts';
import { useDeadLetters, useStageRun } from '../../../api/operator.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate } from '../../../routing/router.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { ReasonForm } from '../reason-field.tsx';

/**
 * Plans a run that retries every open dead letter, or every one of a queue. The run is started from
 * the page of runs.
 */
export function RetryAll({ queue }: { readonly queue: string | undefined }) {
  const deadLetters = useDeadLetters({ queue });
  const total = deadLetters.data?.pages[0]?.total ?? 0;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  if (total === 0) return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{queue === undefined ? 'Retry all' : `Retry all of ${queue}`}</Button>
      <Dialog
        title={queue === undefined ? 'Retry all dead letters' : `Retry the dead letters of ${queue}`}
        isOpen={isOpen}
        close={close}
      >
        <RetryForm queue={queue} total={total} close={close} />
      </Dialog>
    </>
  );
}

// Helpers

interface RetryFormProps {
  readonly queue: string | undefined;
  readonly total: number;
  close(): void;
}

function RetryForm({ queue, total, close }: RetryFormProps) {
  const stage = useStageRun();
  const submit = (recorded: ReasonBody) =>
    stage.mutate(
      { task: { what: 'retry_dead_letter', ...(queue === undefined ? {} : { queue }) }, ...recorded },
      {
        onSuccess: (run) => {
          toast(
            `Planned for ${run.total.toLocaleString('en')} dead letters. Nothing is retried until you start the run.`,
          );
          navigate(hrefOf('runs', {}));
        },
      },
    );
  return (
    <ReasonForm
      work={stage}
      action="Plan run"
      hint="Recorded with your name. Describe the fix."
      submit={submit}
      close={close}
    >
      <p>
        {`This plans a run for ${total === 1 ? 'the one open dead letter' : `all ${total.toLocaleString('en')} open dead letters`}${queue === undefined ? '' : ` of the queue ${queue}`}. `}
        Nothing is retried until you start the run. Messages that fail again stay dead letters.
      </p>
    </ReasonForm>
  );
}
