import { SECOND_MS } from '../../../machines/index.ts';
import { SIMULATE_ACTIONS, type SimulateAction, type SimulateRequest } from '../../payments/index.ts';
import { TerminalError } from '../../platform/errors.ts';

/**
 * Parses the form of the simulate buttons. The action that lets the window run out moves the clock
 * just past its end. Throws `INVALID_REQUEST` for anything but one known action.
 */
export function readSimulateForm(form: URLSearchParams, remainingMs: number): SimulateRequest {
  const action = form.get('action');
  if (!isAction(action)) {
    throw new TerminalError('INVALID_REQUEST', `action must be one of ${SIMULATE_ACTIONS.join(', ')}`);
  }
  if (action !== 'advance_clock') return { action };
  return { action, seconds: Math.max(1, Math.ceil(remainingMs / SECOND_MS) + 1) };
}

// Helpers

function isAction(text: string | null): text is SimulateAction {
  return SIMULATE_ACTIONS.some((action) => action === text);
}
