import { type FormEvent, useMemo, useState } from 'react';
import type { DecisionName } from '../../../../contract/payment.ts';
import { useDecide } from '../../../api/payment.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { AreaField } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { DECISION_WORDS } from './words.ts';

/** What the server keeps of a reason at most. */
const MOST_REASON_CHARACTERS = 500;

interface DecisionsProps {
  readonly decisions: readonly DecisionName[];
  /** What is to be decided, for those who hear the buttons and do not see what they stand beside. */
  readonly about: string;
  choose(decision: DecisionName): void;
}

/** A button for each decision. */
export function Decisions({ decisions, about, choose }: DecisionsProps) {
  if (decisions.length === 0) return null;
  return (
    <div className="button-row">
      {decisions.map((decision) => (
        <Button
          key={decision}
          look={DECISION_WORDS[decision].look}
          aria-label={`${DECISION_WORDS[decision].button}: ${about}`}
          onClick={() => choose(decision)}
        >
          {DECISION_WORDS[decision].button}
        </Button>
      ))}
    </div>
  );
}

/** A decision somebody is about to make. */
export interface ChosenDecision {
  readonly paymentId: string;
  readonly decision: DecisionName;
  /** Of the payment as it was shown. */
  readonly seenStep: number;
  /** What is at stake, once more. */
  readonly stake: string;
}

interface DecisionDialogProps {
  /** Null: nothing, the dialog is closed. */
  readonly chosen: ChosenDecision | null;
  close(): void;
}

/**
 * Names what a decision brings about, asks why, and only then makes it. It belongs to a page and not to the buttons: those go away
 * when somebody else decides first, and whoever is too slow must be told.
 */
export function DecisionDialog({ chosen, close }: DecisionDialogProps) {
  return (
    <Dialog title={chosen === null ? '' : DECISION_WORDS[chosen.decision].title} isOpen={chosen !== null} close={close}>
      {chosen === null ? null : <DecisionForm chosen={chosen} done={close} />}
    </Dialog>
  );
}

// Helpers

interface DecisionFormProps {
  readonly chosen: ChosenDecision;
  done(): void;
}

function DecisionForm({ chosen: { paymentId, decision, seenStep, stake }, done }: DecisionFormProps) {
  const decide = useDecide(paymentId);
  const [reason, setReason] = useState('');
  // One per decision and reason: pressing twice is still one request, and saying something else is another.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new id for each
  const requestId = useMemo(() => crypto.randomUUID(), [decision, reason]);
  const words = DECISION_WORDS[decision];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (decide.isPending) return;
    decide.mutate(
      { decision, reason: reason.trim(), seenStep, requestId },
      {
        onSuccess: () => {
          toast(words.done);
          done();
        },
      },
    );
  };
  return (
    <form className="form" onSubmit={submit}>
      <p>{stake}</p>
      <p className="notice">{words.consequence}</p>
      <AreaField
        label="Why?"
        hint="Kept with your name in the timeline of the payment and in the audit log."
        required
        maxLength={MOST_REASON_CHARACTERS}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {decide.error === null ? null : <Problem error={decide.error} />}
      <div className="button-row">
        <Button type="submit" look={words.look} disabled={reason.trim() === ''} isBusy={decide.isPending}>
          {words.button}
        </Button>
        <Button onClick={done}>Cancel</Button>
      </div>
    </form>
  );
}
