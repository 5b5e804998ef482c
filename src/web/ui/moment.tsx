import { useSyncExternalStore } from 'react';
import { currentTime, watchTime } from './current-time.ts';
import { durationText, momentText, timeAgo } from './time-text.ts';

/** A time relative to now. Its tooltip has the full date and time, which screen readers get. */
export function Moment({ at }: { readonly at: number }) {
  const now = useNow();
  const exact = momentText(at);
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
  return <Moment at={Math.min(at, useNow())} />;
}

interface FullMomentProps {
  readonly at: number;
  /** It has happened, so it is never `in 20 min`; see `Since`. */
  readonly isPast?: boolean;
}

/** Both relative and full, where there is room and the exact time matters. */
export function FullMoment({ at, isPast = false }: FullMomentProps) {
  const now = useNow();
  return (
    <time className="moment" dateTime={new Date(at).toISOString()}>
      {momentText(at)} <span className="soft">({timeAgo(isPast ? Math.min(at, now) : at, now)})</span>
    </time>
  );
}

/** The time left, or how long it is overdue. */
export function Countdown({ at }: { readonly at: number }) {
  const left = at - useNow();
  return (
    <span className={left < 0 ? 'number bad' : 'number'} title={momentText(at)}>
      {left < 0 ? `${durationText(-left)} overdue` : `in ${durationText(left)}`}
    </span>
  );
}

/** The current time, updated every second by one timer for the whole page. */
function useNow(): number {
  return useSyncExternalStore(watchTime, currentTime);
}
