import { RetryableError } from '../../platform/errors.ts';

/** The error of a poll that cannot continue until the node has caught up. */
export function nodeSyncing(reason: string): RetryableError {
  return new RetryableError('NODE_SYNCING', `${reason}; waiting for it`);
}
