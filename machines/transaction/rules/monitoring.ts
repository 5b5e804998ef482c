import { DAY_MS, type UnixMs } from '../../vocabulary/time.ts';
import type { TransactionContext } from '../context.ts';

/** An address stays watched for this long after its payment window closed. */
export const MONITORING_MS = 30 * DAY_MS;

/** When the address stops being watched. Unix ms. */
export function monitoringEndsAt(context: Pick<TransactionContext, 'expiresAt'>): UnixMs {
  return context.expiresAt + MONITORING_MS;
}
