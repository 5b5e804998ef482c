import { RetryableError } from '../../platform/errors.ts';
import { unreadable } from './failures.ts';
import { parseJsonKeepingNumbers } from './json.ts';

/** A response of a source, with any status. */
export interface SourceResponse {
  readonly source: string;
  readonly status: number;
  readonly text: string;
}

/** The text of a 200 response. Throws `RetryableError` RATE_SOURCE_REFUSED for any other status. */
export function textOf({ source, status, text }: SourceResponse): string {
  if (status === 200) return text;
  const isRedirect = status >= 300 && status < 400;
  const what = isRedirect ? `${status}, a redirect, which is not followed` : `HTTP ${status}`;
  throw new RetryableError('RATE_SOURCE_REFUSED', `${source} returned ${what}`);
}

/** The JSON of a response, with numbers as text. Throws `RetryableError` RATE_SOURCE_UNREADABLE. */
export function jsonOf({ source, text }: SourceResponse): unknown {
  try {
    return parseJsonKeepingNumbers(text);
  } catch (error) {
    throw unreadable(source, 'invalid JSON', error);
  }
}
