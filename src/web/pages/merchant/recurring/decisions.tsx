import { useState } from 'react';
import type { ScheduleDecisionName, ScheduleDetail } from '../../../../http/console/merchant/recurring/schemas.ts';
import { useDecideSchedule } from '../../../api/recurring.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { timesText } from '../../../ui/word-text.ts';
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
        <Button key={decision} look={WORDS[decision].look} onClick={() => setAsked(decision)}>
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

interface Words {
  readonly button: string;
  readonly look: 'plain' | 'main' | 'danger';
  readonly question: string;
  readonly done: string;
  readonly consequences: (detail: ScheduleDetail) => readonly string[];
}

const WORDS: { readonly [D in ScheduleDecisionName]: Words } = {
  pause: {
    button: 'Pause',
    look: 'plain',
    question: 'Pause it?',
    done: 'Paused. Nothing is requested until you resume it.',
    consequences: () => [
      'The customer gets no emails until you resume it, and is not notified of the pause.',
      'Payments already requested can still be paid through their links, without reminders.',
      'Payments that come due meanwhile are skipped: they are not requested later.',
    ],
  },
  resume: {
    button: 'Resume',
    look: 'main',
    question: 'Resume it?',
    done: 'Resumed.',
    consequences: () => [
      'The customer is asked again from the next due date on, and is not notified of it before.',
      'Payments that came due during the pause stay skipped.',
    ],
  },
  cancel: {
    button: 'End it',
    look: 'danger',
    question: 'End it permanently?',
    done: 'Ended. Nothing is requested any more.',
    consequences: ({ schedule }) => [
      schedule.status === 'pending_confirmation'
        ? 'The button in the email no longer works; it says that the shop has ended the request.'
        : 'The customer gets no more emails. Links in earlier ones say that the shop has ended this, and what is open can no longer be paid through them.',
      'A payment in progress still counts.',
      'It cannot be restarted: you would have to ask the customer for consent again.',
    ],
  },
  'resend-confirmation': {
    button: 'Ask again',
    look: 'main',
    question: 'Send the email once more?',
    done: 'The email is being sent again.',
    consequences: ({ schedule: { customerEmail, confirmationsSent, confirmBy }, maxConfirmations }) => [
      `${customerEmail} gets the email with the button once more. It was sent ${timesText(confirmationsSent)}; ${maxConfirmations} times is the most.`,
      ...(confirmBy === null ? [] : [`The time to answer stays the same: until ${whenText(confirmBy)}.`]),
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
  const { button, look, consequences, done } = WORDS[decision];
  const submit = () => decide.mutate(decision, toastAndClose(done, close));
  return (
    <Form
      work={decide}
      action={button}
      look={look === 'plain' ? 'main' : look}
      cancel="Leave it as it is"
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
