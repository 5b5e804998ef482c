import { useState } from 'react';
import type { ScheduleDecisionName, ScheduleDetail } from '../../../../http/console/merchant/recurring/schemas.ts';
import { useDecideSchedule } from '../../../api/recurring.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { timesText } from '../../../ui/values/word-text.ts';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { whenText } from './when.tsx';

/**
 * The actions on a schedule that are possible now. Each asks for confirmation, with what the
 * customer will notice.
 */
export function Decisions({ detail }: { readonly detail: ScheduleDetail }) {
  const [requested, setAsked] = useState<ScheduleDecisionName | null>(null);
  const words = requested === null ? null : WORDS[requested];
  return (
    <>
      {possibleFor(detail).map((decision) => (
        <Button key={decision} variant={WORDS[decision].variant} onClick={() => setAsked(decision)}>
          {WORDS[decision].button}…
        </Button>
      ))}
      <Dialog title={words?.question ?? ''} isOpen={requested !== null} close={() => setAsked(null)}>
        {requested === null ? null : <Ask detail={detail} decision={requested} close={() => setAsked(null)} />}
      </Dialog>
    </>
  );
}

// Helpers

interface DecisionTexts {
  readonly button: string;
  readonly variant: 'plain' | 'main' | 'danger';
  readonly question: string;
  readonly done: string;
  readonly consequences: (detail: ScheduleDetail) => readonly string[];
}

const WORDS: { readonly [D in ScheduleDecisionName]: DecisionTexts } = {
  pause: {
    button: 'Pause',
    variant: 'plain',
    question: 'Pause this request?',
    done: 'Paused. Nothing is requested until you resume it.',
    consequences: () => [
      'The customer receives no emails until you resume it, and is not notified of the pause.',
      'Payments already requested can still be paid through their links. No reminders are sent.',
      'Payments that fall due in the meantime are skipped and not requested later.',
    ],
  },
  resume: {
    button: 'Resume',
    variant: 'main',
    question: 'Resume this request?',
    done: 'Resumed.',
    consequences: () => [
      'Requests continue on the next due date. The customer is not notified before that.',
      'Payments that fell due during the pause stay skipped.',
    ],
  },
  cancel: {
    button: 'Cancel request',
    variant: 'danger',
    question: 'End this request permanently?',
    done: 'Ended. Nothing more is requested.',
    consequences: ({ schedule }) => [
      schedule.status === 'pending_confirmation'
        ? 'The button in the email no longer works; its page says that the shop has ended the request.'
        : 'The customer receives no more emails. Links in earlier emails say that the shop has ended the request, and can no longer be used to pay.',
      'A payment in progress still counts.',
      'It cannot be restarted: a new request needs the customer’s consent again.',
    ],
  },
  'resend-confirmation': {
    button: 'Resend request',
    variant: 'main',
    question: 'Resend the email?',
    done: 'The email is being sent again.',
    consequences: ({ schedule: { customerEmail, confirmationsSent, confirmBy }, maxConfirmations }) => [
      `${customerEmail} receives the email with the button again. It was sent ${timesText(confirmationsSent)}; the maximum is ${maxConfirmations} times.`,
      ...(confirmBy === null ? [] : [`The deadline does not change: ${whenText(confirmBy)}.`]),
    ],
  },
};

function possibleFor({ schedule, maxConfirmations }: ScheduleDetail): readonly ScheduleDecisionName[] {
  const { status, confirmationsSent } = schedule;
  if (status === 'active') return ['pause', 'cancel'];
  if (status === 'paused') return ['resume', 'cancel'];
  if (status !== 'pending_confirmation') return [];
  return confirmationsSent < maxConfirmations ? ['resend-confirmation', 'cancel'] : ['cancel'];
}

interface AskProps {
  readonly detail: ScheduleDetail;
  readonly decision: ScheduleDecisionName;
  close(): void;
}

function Ask({ detail, decision, close }: AskProps) {
  const decide = useDecideSchedule(detail.schedule.id);
  const { button, variant, consequences, done } = WORDS[decision];
  const submit = () => decide.mutate(decision, toastAndClose(done, close));
  return (
    <Form
      work={decide}
      action={button}
      variant={variant === 'plain' ? 'main' : variant}
      cancel="Go back"
      submit={submit}
      close={close}
    >
      <ul className="recurring-points">
        {consequences(detail).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Form>
  );
}
