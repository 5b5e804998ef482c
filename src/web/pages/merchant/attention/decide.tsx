import { useMemo, useState } from 'react';
import type { DecisionName } from '../../../../http/console/merchant/payment/schemas.ts';
import { useDecide } from '../../../api/payments.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { AreaField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { DECISION_WORDS } from './labels.ts';

/** The server's limit for a reason. */
const MAX_REASON_CHARACTERS = 500;

interface DecisionsProps {
  readonly decisions: readonly DecisionName[];
  /**
   * What the decision is about, for screen readers, which do not see what the buttons belong to.
   */
  readonly about: string;
  /** The coins have all required confirmations. */
  readonly isConfirmed: boolean;
  choose(decision: DecisionName): void;
}

export function Decisions({ decisions, about, isConfirmed, choose }: DecisionsProps) {
  if (decisions.length === 0) return null;
  return (
    <div className="button-row">
      {decisions.map((decision) => (
        <Button
          key={decision}
          variant={variantOf(decision, isConfirmed)}
          aria-label={`${DECISION_WORDS[decision].button}: ${about}`}
          onClick={() => choose(decision)}
        >
          {DECISION_WORDS[decision].button}
        </Button>
      ))}
    </div>
  );
}

/** A decision that the user is about to confirm. */
export interface ChosenDecision {
  readonly paymentId: string;
  readonly decision: DecisionName;
  /** Step of the payment as it was shown. */
  readonly seenStep: number;
  /** What is at stake, repeated in the dialog. */
  readonly stake: string;
  /** The coins have all required confirmations. */
  readonly isConfirmed: boolean;
}

interface DecisionDialogProps {
  /** Null: the dialog is closed. */
  readonly chosen: ChosenDecision | null;
  close(): void;
}

/**
 * Shows the consequence of a decision, asks for a reason, and then sends it. Belongs to the page
 * and not to the buttons: those disappear when another user decides first, and the dialog must then
 * show the error.
 */
export function DecisionDialog({ chosen, close }: DecisionDialogProps) {
  return (
    <Dialog title={chosen === null ? '' : DECISION_WORDS[chosen.decision].title} isOpen={chosen !== null} close={close}>
      {chosen === null ? null : <DecisionForm chosen={chosen} done={close} />}
    </Dialog>
  );
}

// Helpers

/** What needs caution is not the highlighted action. */
function variantOf(decision: DecisionName, isConfirmed: boolean): 'main' | 'danger' | 'plain' {
  const { variant, caution } = DECISION_WORDS[decision];
  return variant === 'main' && caution !== null && !isConfirmed ? 'plain' : variant;
}

interface DecisionFormProps {
  readonly chosen: ChosenDecision;
  done(): void;
}

function DecisionForm({ chosen: { paymentId, decision, seenStep, stake, isConfirmed }, done }: DecisionFormProps) {
  const decide = useDecide(paymentId);
  const [reason, setReason] = useState('');
  // One per decision and reason: a second click is the same request, a new reason another.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new id for each
  const requestId = useMemo(() => crypto.randomUUID(), [decision, reason]);
  const words = DECISION_WORDS[decision];
  const submit = () =>
    decide.mutate({ decision, reason: reason.trim(), seenStep, requestId }, toastAndClose(words.done, done));
  return (
    <Form work={decide} action={words.button} variant={words.variant} submit={submit} close={done}>
      {isConfirmed || words.caution === null ? null : (
        <p className="notice" role="alert">
          {words.caution}
        </p>
      )}
      <p>{stake}</p>
      <p className="notice">{words.consequence}</p>
      <AreaField
        label="Why?"
        hint="Required. Recorded with your name in the payment’s timeline and the audit log."
        required
        autoFocus
        maxLength={MAX_REASON_CHARACTERS}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Form>
  );
}
