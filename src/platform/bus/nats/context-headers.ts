import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { isTraceparent } from '../../request-context.ts';

/** Header name of W3C Trace Context. */
const TRACEPARENT = 'traceparent';
/** The remaining parts of `serializeContext`. */
const CONTEXT = 'Quittance-Work';

/** Headers for the request context of a message; empty without one. */
export function headersOf(serialized: string | null): { headers?: MsgHdrs } {
  if (serialized === null) return {};
  const words = serialized.split(' ');
  const trace = words.find(isTraceparent);
  const rest = words.filter((word) => word !== trace);
  const made = headers();
  if (trace !== undefined) made.set(TRACEPARENT, trace);
  if (rest.length > 0) made.set(CONTEXT, rest.join(' '));
  return { headers: made };
}

/** Reads what `headersOf` wrote; null when the headers are absent. */
export function contextIn(found: MsgHdrs | undefined): string | null {
  const words = [found?.get(TRACEPARENT), found?.get(CONTEXT)].filter((word) => word !== undefined && word !== '');
  return words.length === 0 ? null : words.join(' ');
}
