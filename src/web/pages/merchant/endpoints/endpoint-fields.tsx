import type { Mode } from '../../../../http/console/merchant/schemas.ts';
import { CheckField, TextField } from '../../../ui/field.tsx';
import { EVENT_MEANINGS } from './labels.ts';
import { ModeChoice } from './mode-choice.tsx';

/** As the route accepts it. */
const MAX_PER_SECOND = 1_000;

/** The editable fields of an endpoint. */
export interface EndpointWish {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly modes: readonly Mode[];
  readonly disablesItself: boolean;
  readonly disablesOnGone: boolean;
  /** As typed; empty for no limit. */
  readonly maxPerSecond: string;
}

/** The wish as a request body. */
export function bodyOf({ url, maxPerSecond, ...wish }: EndpointWish) {
  return { ...wish, url: url.trim(), maxPerSecond: Number(maxPerSecond) };
}

/** All event types, and the default selection. */
export interface EventTypes {
  readonly eventTypes: readonly string[];
  readonly defaultEvents: readonly string[];
}

interface EndpointFieldsProps {
  readonly wish: EndpointWish;
  readonly types: EventTypes;
  change(wish: EndpointWish): void;
}

export function EndpointFields({ wish, types, change }: EndpointFieldsProps) {
  return (
    <>
      <TextField
        label="Address"
        type="url"
        required
        placeholder="https://shop.example/webhooks"
        autoComplete="off"
        spellCheck={false}
        hint="Where your server receives events."
        value={wish.url}
        onChange={(event) => change({ ...wish, url: event.target.value })}
      />
      <TextField
        label="Name"
        maxLength={200}
        autoComplete="off"
        hint="Only you see it. Optional."
        value={wish.description}
        onChange={(event) => change({ ...wish, description: event.target.value })}
      />
      <ModeChoice wish={wish} change={change} />
      <EventChoice wish={wish} types={types} change={change} />
      <CheckField
        label="Disable it when it fails for five days"
        checked={wish.disablesItself}
        onChange={(event) => change({ ...wish, disablesItself: event.target.checked })}
      />
      <CheckField
        label="Disable it when it returns 410 Gone"
        checked={wish.disablesOnGone}
        onChange={(event) => change({ ...wish, disablesOnGone: event.target.checked })}
      />
      <TextField
        label="Attempts per second, at most"
        type="number"
        min={1}
        max={MAX_PER_SECOND}
        step={1}
        hint="Leave empty for no limit."
        value={wish.maxPerSecond}
        onChange={(event) => change({ ...wish, maxPerSecond: event.target.value })}
      />
    </>
  );
}

// Helpers

/** Each event type with its description. At least one must be chosen. */
function EventChoice({ wish, types: { eventTypes, defaultEvents }, change }: EndpointFieldsProps) {
  const chosen = new Set(wish.events);
  const isUsual = defaultEvents.length === chosen.size && defaultEvents.every((type) => chosen.has(type));
  const choose = (type: string, isChosen: boolean) =>
    change({ ...wish, events: eventTypes.filter((one) => (one === type ? isChosen : chosen.has(one))) });
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
              <span className="choice-about">{EVENT_MEANINGS[type] ?? ''}</span>
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
