import { useState } from 'react';
import type { NewScheduleBody, ScheduleInfo } from '../../../../http/console/merchant/recurring/schemas.ts';
import { useCreateSchedule } from '../../../api/recurring.ts';
import { useMode } from '../../../routing/router.ts';
import { toast } from '../../../state/toasts.ts';
import { Form } from '../../../ui/forms/form.tsx';
import { amountError, amountText, decimalText } from '../../../ui/values/amount-text.ts';
import { bodyOf, NEW_DRAFT, type ScheduleDraft } from './schedule-draft.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { INTERVAL_WORDS } from './schedule-labels.ts';

interface CreateScheduleProps {
  close(): void;
  created(schedule: ScheduleInfo): void;
}

/** A form for a recurring payment request, and what the customer will receive. */
export function CreateSchedule({ close, created }: CreateScheduleProps) {
  const mode = useMode();
  const create = useCreateSchedule();
  const [draft, setDraft] = useState<ScheduleDraft>(NEW_DRAFT);
  const [hasTried, setHasTried] = useState(false);
  // One per form, so that a second click or a retry after a lost response is the same request.
  // Changed terms get a new one.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const set = (changes: Partial<ScheduleDraft>) => {
    setDraft((before) => ({ ...before, ...changes }));
    setRequestId(crypto.randomUUID());
  };
  const submit = () => {
    if (amountError(draft.amount) !== null) {
      setHasTried(true);
      return;
    }
    const body: NewScheduleBody = { mode, requestId, ...bodyOf(draft) };
    create.mutate(body, {
      onSuccess: (schedule) => {
        toast(
          mode === 'test'
            ? 'Created. Simulate the customer on its page.'
            : `${schedule.customerEmail} is asked for consent by email.`,
        );
        created(schedule);
      },
    });
  };
  return (
    <Form work={create} action="Request consent" submit={submit} close={close}>
      <ScheduleFields draft={draft} set={set} hasTried={hasTried} />
      <WhatHappens draft={draft} isTest={mode === 'test'} />
    </Form>
  );
}

// Helpers

function WhatHappens({ draft, isTest }: { readonly draft: ScheduleDraft; readonly isTest: boolean }) {
  const isKnown = draft.amount.trim() !== '' && amountError(draft.amount) === null;
  const amount = !isKnown ? 'the amount' : amountText(decimalText(draft.amount), draft.currency);
  return (
    <aside className="recurring-preview" aria-label="What the customer receives">
      <h3>What the customer receives</h3>
      <ol>
        <li>
          An email that asks for consent to requests of <strong>{amount}</strong> {INTERVAL_WORDS[draft.interval]}.
          Nothing happens until they press its button; it expires after seven days without a response.
        </li>
        <li>A payment link by email, each time. Two reminders, after three and six days.</li>
        <li>A link to stop the requests, in every email.</li>
      </ol>
      {isTest ? (
        <p className="soft">
          In test mode, emails are sent only to users of your account; for other addresses, simulate the customer on the
          next page.
        </p>
      ) : null}
    </aside>
  );
}
