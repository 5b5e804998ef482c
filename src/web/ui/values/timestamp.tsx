import { createContext, useContext, useSyncExternalStore } from 'react';
import { currentTime, watchTime } from './current-time.ts';
import { durationText, timeAgo, timeSpent, timestampText } from './time-text.ts';

/**
 * How far the clock of what is shown is ahead of the wall clock, in ms: a simulation moves that of
 * a test payment, and its times are relative to it.
 */
export const ClockAhead = createContext(0);

/** A time relative to now. Its tooltip has the full date and time, which screen readers get. */
export function Timestamp({ at }: { readonly at: number }) {
  const now = useNow();
  const exact = timestampText(at);
  return (
    <time className="moment" dateTime={new Date(at).toISOString()} title={exact}>
      {timeAgo(at, now)}
    </time>
  );
}

/**
 * When something that has happened began. A simulation may have moved its clock ahead of the wall
 * clock; `in 20 min` would be wrong then, so it is `now`.
 */
export function Since({ at }: { readonly at: number }) {
  return <Timestamp at={Math.min(at, useNow())} />;
}

/** How long something has lasted: `for 7 min`, or `just now`. */
export function TimeSpent({ since }: { readonly since: number }) {
  return (
    <time className="moment" dateTime={new Date(since).toISOString()} title={timestampText(since)}>
      {timeSpent(since, useNow())}
    </time>
  );
}

interface FullTimestampProps {
  readonly at: number;
  /** It has happened, so it is never `in 20 min`; see `Since`. */
  readonly isPast?: boolean;
}

/** Both relative and full, where there is room and the exact time matters. */
export function FullTimestamp({ at, isPast = false }: FullTimestampProps) {
  const now = useNow();
  return (
    <time className="moment" dateTime={new Date(at).toISOString()}>
      {timestampText(at)} <span className="soft">({timeAgo(isPast ? Math.min(at, now) : at, now)})</span>
    </time>
  );
}

/** The time left, or how long it is overdue. */
export function Countdown({ at }: { readonly at: number }) {
  const left = at - useNow();
  return (
    <span className={left < 0 ? 'number bad' : 'number'} title={timestampText(at)}>
      {left < 0 ? `${durationText(-left)} overdue` : `in ${durationText(left)}`}
    </span>
  );
}

/** The current time, updated every second by one timer for the whole page. */
function useNow(): number {
  return useSyncExternalStore(watchTime, currentTime) + useContext(ClockAhead);
}
