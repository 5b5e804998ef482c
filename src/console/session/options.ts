import type { GuardOptions } from './guard.ts';

export interface SessionOptions extends GuardOptions {
  /** Whether a mail server is connected. */
  readonly sendsMails: boolean;
}
