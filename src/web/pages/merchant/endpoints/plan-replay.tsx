import { useState } from 'react';
import type {
  EndpointDetail,
  ReplayPreviewInfo,
  ReplayRange,
} from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useReplayPreview, useStartReplay } from '../../../api/endpoints.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { Await } from '../../../ui/await.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';

interface PlanReplayProps {
  readonly detail: EndpointDetail;
  close(): void;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AGES: readonly (readonly [words: string, ms: number])[] = [
  ['the last hour', HOUR_MS],
  ['the last 24 hours', DAY_MS],
  ['the last 7 days', 7 * DAY_MS],
  ['the last 30 days', 30 * DAY_MS],
];
/** The option for a custom time. */
const OWN = 'own';

/** Counts the events of a time range that an endpoint has missed, and sends them on request. */
export function PlanReplay({ detail, close }: PlanReplayProps) {
  const { endpoint, maxReplayDays } = detail;
  const start = useStartReplay(endpoint.id);
  // The current time is read once: a changing time would start the count again and again.
  const [now] = useState(() => Date.now());
  const [choice, setChoice] = useState<string>(String(DAY_MS));
  const [own, setOwn] = useState({ since: '', until: '' });
  const [onlyFailed, setOnlyFailed] = useState(false);
  const times = choice === OWN ? timesOf(own) : { since: now - Number(choice) };
  const range: ReplayRange | null = times === null ? null : { ...times, ...(onlyFailed ? { only: 'failed' } : {}) };
  const preview = useReplayPreview(endpoint.id, range);
  const due = preview.data?.due ?? 0;
  const submit = () => {
    if (range === null || due === 0) return;
    start.mutate(range, toastAndClose('Missed events are being sent.', close));
  };
  return (
    <Form
      work={start}
      action={due === 0 ? 'Replay' : `Replay ${amountOf(preview.data)}`}
      isDisabled={due === 0}
      submit={submit}
      close={close}
    >
      <p>Sends events this endpoint has not accepted, oldest first.</p>
      <SelectField label="Time range" value={choice} onChange={(event) => setChoice(event.target.value)}>
        {AGES.map(([words, ms]) => (
          <option key={ms} value={ms}>
            {words}
          </option>
        ))}
        <option value={OWN}>custom range</option>
      </SelectField>
      {choice === OWN ? (
        <>
          <TextField
            label="Since"
            type="datetime-local"
            hint={`At most ${maxReplayDays} days ago. After an outage: shortly before it began.`}
            required
            value={own.since}
            onChange={(event) => setOwn({ ...own, since: event.target.value })}
          />
          <TextField
            label="Until"
            type="datetime-local"
            hint="Leave empty for all events up to now."
            value={own.until}
            onChange={(event) => setOwn({ ...own, until: event.target.value })}
          />
        </>
      ) : null}
      <CheckField
        label="Failed deliveries only"
        checked={onlyFailed}
        onChange={(event) => setOnlyFailed(event.target.checked)}
      />
      {range === null ? null : (
        <div role="status">
          <Await query={preview} label="Counting" lines={1}>
            {(counted) => <Counted counted={counted} />}
          </Await>
        </div>
      )}
    </Form>
  );
}

// Helpers

function Counted({ counted }: { readonly counted: ReplayPreviewInfo }) {
  const { due, events, isCut } = counted;
  if (due === 0 && !isCut) {
    return (
      <p className="notice notice-good">
        <span>
          Nothing to send: of {events.toLocaleString('en')} events in that time, each was accepted, is being sent, or
          has a type the endpoint does not receive.
        </span>
      </p>
    );
  }
  return (
    <p className="notice notice-info">
      <span>
        <strong>{amountOf(counted)}</strong> would be sent, of {events.toLocaleString('en')}
        {isCut ? ' or more' : ''} that happened in that time.
      </span>
    </p>
  );
}

function amountOf(counted: ReplayPreviewInfo | undefined): string {
  if (counted === undefined) return '';
  const { due, isCut } = counted;
  const count = `${due.toLocaleString('en')}${isCut ? ' or more' : ''}`;
  return due === 1 && !isCut ? '1 event' : `${count} events`;
}

/** Null while the start is incomplete. Without an end, everything up to now. */
function timesOf(own: { readonly since: string; readonly until: string }): ReplayRange | null {
  const [since, until] = [timestampIn(own.since), timestampIn(own.until)];
  if (since === null) return null;
  return until === null ? { since } : { since, until };
}

/** The value of a date and time field in the browser's time zone; null while it is incomplete. */
function timestampIn(text: string): number | null {
  const at = new Date(text).getTime();
  return Number.isNaN(at) || at < 0 ? null : at;
}
