import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { isTraceparent } from '../../work-context.ts';

/** W3C Trace Context, under the name that other tools look for. */
const TRACEPARENT = 'traceparent';
/** The other words of `carriedWork`. */
const WORK = 'Quittance-Work';

/** Headers for what is carried beside a message; nothing when nothing is. */
export function headersOf(carried: string | null): { headers?: MsgHdrs } {
  if (carried === null) return {};
  const words = carried.split(' ');
  const trace = words.find(isTraceparent);
  const rest = words.filter((word) => word !== trace);
  const made = headers();
  if (trace !== undefined) made.set(TRACEPARENT, trace);
  if (rest.length > 0) made.set(WORK, rest.join(' '));
  return { headers: made };
}

/** What `headersOf` wrote; null when there is nothing of it. */
export function carriedIn(found: MsgHdrs | undefined): string | null {
  const words = [found?.get(TRACEPARENT), found?.get(WORK)].filter((word) => word !== undefined && word !== '');
  return words.length === 0 ? null : words.join(' ');
}
