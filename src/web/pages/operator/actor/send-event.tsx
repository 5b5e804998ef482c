import { type FormEvent, useState } from 'react';
import type { ActorDetail, EventPreview, ReasonBody } from '../../../../http/console/operator/schemas.ts';
import { usePreview, useSendEvent } from '../../../api/operator.ts';
import { useShortcut } from '../../../state/shortcuts.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField } from '../../../ui/forms/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { ReasonForm } from '../reason-field.tsx';
import { EventChoice } from './event-choice.tsx';
import { EventFields, type FieldValues } from './event-fields.tsx';
import { PreviewOf } from './preview-of.tsx';

/**
 * Sends an event to an actor, in order: choose, preview, give a reason, send. The console has no
 * other way to change an actor.
 */
export function SendEvent({ actor }: { readonly actor: ActorDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  useShortcut('e', 'Send an event', () => setIsOpen(true));
  if (actor.accepts.length === 0) return null;
  return (
    <>
      <Button variant="main" onClick={() => setIsOpen(true)}>
        Send an event
      </Button>
      <Dialog title="Send an event" isWide isOpen={isOpen} close={() => setIsOpen(false)}>
        <Steps actor={actor} close={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

// Helpers

interface StepsProps {
  readonly actor: ActorDetail;
  close(): void;
}

function Steps({ actor, close }: StepsProps) {
  const preview = usePreview(actor.id);
  const enabled = actor.accepts.filter(({ isEnabled }) => isEnabled);
  const [showsAll, setShowsAll] = useState(false);
  const [type, setType] = useState('');
  // What was chosen stays in the list when the actor moves on meanwhile.
  const offered = actor.accepts.filter((one) => showsAll || one.isEnabled || one.type === type);
  const [fields, setFields] = useState<FieldValues>({});
  // The step that was shown when the form opened; the server rejects the event if another one has
  // followed.
  const [seenSequence] = useState(actor.steps);
  const accepted = actor.accepts.find((one) => one.type === type);

  const requestPreview = (event: FormEvent) => {
    event.preventDefault();
    preview.mutate({ type, fields, seenSequence, reason: 'Preview' });
  };
  const change = (next: { readonly type?: string; readonly fields?: FieldValues }) => {
    setType(next.type ?? type);
    setFields(next.fields ?? {});
    preview.reset();
  };
  const offerAll = (showsEach: boolean) => {
    setShowsAll(showsEach);
    const next = showsEach ? actor.accepts : enabled;
    if (!next.some((one) => one.type === type)) change({ type: '' });
  };
  return (
    <>
      <form className="form" onSubmit={requestPreview}>
        {offered.length === 0 ? (
          <p>No event has an effect in this state.</p>
        ) : (
          <EventChoice events={offered} value={type} change={(next) => change({ type: next })} />
        )}
        {/* Tried with sample fields only: with others a hidden event may have an effect. */}
        {enabled.length === actor.accepts.length ? null : (
          <CheckField label="Show all events" checked={showsAll} onChange={(event) => offerAll(event.target.checked)} />
        )}
        <EventFields
          schema={accepted?.fields ?? null}
          values={fields}
          change={(values) => change({ fields: values })}
        />
        {preview.data === undefined ? (
          <div className="button-row">
            <Button type="submit" variant="main" isBusy={preview.isPending} disabled={accepted === undefined}>
              Preview
            </Button>
            <span className="soft">Nothing is sent yet.</span>
          </div>
        ) : null}
      </form>
      <Problem error={preview.error} />
      {preview.data === undefined ? null : (
        <>
          <PreviewOf preview={preview.data} from={actor.state} />
          <Send actor={actor} draft={{ type, fields, seenSequence }} preview={preview.data} close={close} />
        </>
      )}
    </>
  );
}

interface SendProps extends StepsProps {
  readonly draft: { readonly type: string; readonly fields: FieldValues; readonly seenSequence: number };
  readonly preview: EventPreview;
}

function Send({ actor, draft, preview, close }: SendProps) {
  const send = useSendEvent(actor.id);
  const submit = (recorded: ReasonBody) =>
    send.mutate(
      { ...draft, ...recorded },
      {
        onSuccess: ({ outcome, state }) => {
          toast(outcome === 'applied' ? `Sent. It is now in ${state}.` : 'Sent. The chart ignored it.');
          close();
        },
      },
    );
  return (
    <ReasonForm
      work={send}
      action="Send event"
      hint="Recorded in the journal with your name."
      isDisabled={!preview.isTaken}
      submit={submit}
      close={close}
    />
  );
}
