import { SECOND_MS } from '../../../../machines/index.ts';
import {
  type CustomerView,
  SIMULATE_ACTIONS,
  type SimulateAction,
  type SimulateRequest,
  simulationsFor,
} from '../../../payments/index.ts';
import { TerminalError } from '../../../platform/errors.ts';
import { type Html, html } from '../html.ts';
import type { Locale } from '../languages/locales.ts';
import { SCREENS, type Screen } from '../screen.ts';

/**
 * Screens on which each button of a test payment makes sense, in display order. Coins can be
 * unconfirmed on any screen.
 */
const BUTTONS: readonly { readonly action: SimulateAction; readonly on: readonly Screen[] }[] = [
  { action: 'pay', on: ['waiting', 'partial'] },
  { action: 'pay_partial', on: ['waiting', 'partial'] },
  { action: 'overpay', on: ['waiting', 'partial', 'seen', 'completed'] },
  { action: 'confirm', on: SCREENS },
  { action: 'double_spend', on: ['partial', 'seen', 'late'] },
  { action: 'reorg', on: ['seen', 'completed', 'late'] },
  { action: 'advance_clock', on: ['waiting', 'partial'] },
  { action: 'pay_late', on: ['waiting', 'partial', 'expired', 'failed'] },
  { action: 'drop_balance', on: ['waiting', 'partial'] },
];

/**
 * Buttons for the simulations that are possible now. Plain form posts, which need no script. The
 * response has the language of the page, also when the URL selected it.
 */
export function simulateForm(transaction: CustomerView, screen: Screen, locale: Locale): Html | null {
  if (!transaction.isSimulated || transaction.mode !== 'test') return null;
  const { amountRemaining, payments } = transaction;
  const possible = simulationsFor({ ...transaction, remaining: { crypto: amountRemaining }, splits: payments });
  const buttons = BUTTONS.filter(({ action, on }) => on.includes(screen) && possible.includes(action));
  if (buttons.length === 0) return null;
  const { heading, note, actions } = locale.texts.simulate;
  return html`<form class="simulate" method="post" action="${transaction.id}/simulate?lang=${locale.language}">
  <h2>${heading}</h2>
  <p>${note}</p>
  <div>${buttons.map(({ action }) => html`<button id="simulate-${action}" name="action" value="${action}">${actions[action]}</button>`)}</div>
</form>`;
}

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
