import { useState } from 'react';
import { type DeadLetterAction, useResolveDeadLetter } from '../../../api/operator.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { ReasonField } from '../reason-field.tsx';

interface ResolveDeadLetterProps {
  readonly id: string;
  done(): void;
}

/** Retries a dead letter, or dismisses it. Both require a reason, which is recorded. */
export function ResolveDeadLetter({ id, done }: ResolveDeadLetterProps) {
  const settle = useResolveDeadLetter();
  const [reason, setReason] = useState('');
  // One per dead letter and action, so that a second click is the same request.
  const [requestIds] = useState(() => ({ retry: crypto.randomUUID(), dismiss: crypto.randomUUID() }));
  const take = (step: DeadLetterAction) =>
    settle.mutate(
      { id, step, reason: reason.trim(), requestId: requestIds[step] },
      {
        onSuccess: ({ outcome }) => {
          if (outcome === 'failed') return toast('It failed again. It stays a dead letter.', 'bad');
          toast(step === 'retry' ? 'Delivered.' : 'Dismissed.');
          done();
        },
      },
    );
  const hasReason = reason.trim() !== '';
  return (
    <div className="form">
      <ReasonField hint="Recorded with your name." value={reason} change={setReason} />
      <Problem error={settle.error} />
      <div className="button-row">
        <Button variant="main" disabled={!hasReason} isBusy={settle.isPending} onClick={() => take('retry')}>
          Retry
        </Button>
        <Button variant="danger" disabled={!hasReason} onClick={() => take('dismiss')}>
          Dismiss
        </Button>
      </div>
    </div>
  );
}
