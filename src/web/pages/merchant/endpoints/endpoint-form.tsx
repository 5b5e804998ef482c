import { useState } from 'react';
import type { EndpointInfo, EndpointList } from '../../../../http/console/merchant/endpoints/schemas.ts';
import type { Mode } from '../../../../http/console/merchant/schemas.ts';
import { RequestFailure } from '../../../api/request.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { CheckField, TextField } from '../../../ui/forms/field.tsx';
import { Form, type FormWork } from '../../../ui/forms/form.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { eventMeaning, MODE_LABELS } from './labels.ts';

/** As the route accepts it. */
const MAX_PER_SECOND = 1_000;

/** The editable fields of an endpoint. */
interface EndpointDraft
  extends Pick<EndpointInfo, 'url' | 'description' | 'events' | 'modes' | 'disablesItself' | 'disablesOnGone'> {
  /** As typed; empty for no limit. */
  readonly maxPerSecond: string;
}

/** All event types, and the default selection. */
export type EventTypes = Pick<EndpointList, 'eventTypes' | 'defaultEvents'>;

interface EndpointFormProps {
  readonly start: EndpointDraft;
  readonly types: EventTypes;
  readonly work: FormWork;
  readonly action: string;
  send(body: ReturnType<typeof bodyOf>): void;
  close(): void;
}

/** The settings of a new endpoint, or of one that exists. */
export function EndpointForm({ start, types, work, action, send, close }: EndpointFormProps) {
  const [draft, change] = useState(start);
  return (
    <Form
      work={work}
      action={action}
      isDisabled={draft.events.length === 0 || draft.modes.length === 0}
      problem={<Rejection error={work.error} />}
      submit={() => send(bodyOf(draft))}
      close={close}
    >
      <TextField
        label="Address"
        type="url"
        required
        placeholder="https://shop.example/webhooks"
        autoComplete="off"
        spellCheck={false}
        hint="Where your server receives events."
        value={draft.url}
        onChange={(event) => change({ ...draft, url: event.target.value })}
      />
      <TextField
        label="Name"
        maxLength={200}
        autoComplete="off"
        hint="Optional. Only you see it."
        value={draft.description}
        onChange={(event) => change({ ...draft, description: event.target.value })}
      />
      <ModeChoice draft={draft} change={change} />
      <EventChoice draft={draft} types={types} change={change} />
      <CheckField
        label="Disable after five days of failures"
        checked={draft.disablesItself}
        onChange={(event) => change({ ...draft, disablesItself: event.target.checked })}
      />
      <CheckField
        label="Disable on 410 Gone"
        checked={draft.disablesOnGone}
        onChange={(event) => change({ ...draft, disablesOnGone: event.target.checked })}
      />
      <TextField
        label="Maximum attempts per second"
        type="number"
        min={1}
        max={MAX_PER_SECOND}
        step={1}
        hint="Leave empty for no limit."
        value={draft.maxPerSecond}
        onChange={(event) => change({ ...draft, maxPerSecond: event.target.value })}
      />
    </Form>
  );
}

// Helpers

function bodyOf(draft: EndpointDraft) {
  const { url, description, events, modes, disablesItself, disablesOnGone, maxPerSecond } = draft;
  return {
    url: url.trim(),
    description,
    events,
    modes,
    disablesItself,
    disablesOnGone,
    maxPerSecond: Number(maxPerSecond),
  };
}

interface ChoiceProps {
  readonly draft: EndpointDraft;
  change(draft: EndpointDraft): void;
}

const MODES: readonly Mode[] = ['live', 'test'];

/** The modes whose events the endpoint receives. At least one must be chosen. */
function ModeChoice({ draft, change }: ChoiceProps) {
  const choose = (mode: Mode, isChosen: boolean) =>
    change({ ...draft, modes: MODES.filter((each) => (each === mode ? isChosen : draft.modes.includes(each))) });
  return (
    <fieldset className="choices">
      <legend>Events of</legend>
      {MODES.map((mode) => (
        <label key={mode} className="choice">
          <input
            type="checkbox"
            checked={draft.modes.includes(mode)}
            onChange={(event) => choose(mode, event.target.checked)}
          />
          <span>{MODE_LABELS[mode]}</span>
        </label>
      ))}
      {draft.modes.length === 0 ? (
        <p className="field-error" role="alert">
          Choose live payments, test payments or both.
        </p>
      ) : null}
      {draft.modes.length === 2 ? (
        <p className="soft">
          Check <code>mode</code> of every event: test payments are not paid, and anyone with your publishable test key
          can create them.
        </p>
      ) : null}
    </fieldset>
  );
}

/** Each event type with its description. At least one must be chosen. */
function EventChoice({
  draft,
  types: { eventTypes, defaultEvents },
  change,
}: ChoiceProps & { readonly types: EventTypes }) {
  const chosen = new Set(draft.events);
  const isUsual = defaultEvents.length === chosen.size && defaultEvents.every((type) => chosen.has(type));
  const choose = (type: string, isChosen: boolean) =>
    change({ ...draft, events: eventTypes.filter((one) => (one === type ? isChosen : chosen.has(one))) });
  return (
    <details className="event-choice" open={!isUsual}>
      <summary>Events: {isUsual ? 'everything a shop needs' : `${chosen.size} of ${eventTypes.length}`}</summary>
      <fieldset className="choices">
        <legend className="unseen">Events</legend>
        {eventTypes.map((type) => (
          <label key={type} className="choice">
            <input
              type="checkbox"
              checked={chosen.has(type)}
              onChange={(event) => choose(type, event.target.checked)}
            />
            <span>
              <code>{type}</code>
              <span className="choice-about">{eventMeaning(type)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {chosen.size === 0 ? (
        <p className="field-error" role="alert">
          Choose at least one event. To stop them all, disable the endpoint.
        </p>
      ) : null}
    </details>
  );
}

/** Why an endpoint was not created or changed. For a limit of the plan, links to the plans. */
function Rejection({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  if (!(error instanceof RequestFailure) || error.code !== 'PLAN_UPGRADE_REQUIRED') return <Problem error={error} />;
  return (
    <div className="problem" role="alert">
      <p>
        Your plan allows no further endpoint. Delete an unused one, or{' '}
        <Link href={hrefOf('plan', {})}>choose a larger plan</Link>.
      </p>
    </div>
  );
}
