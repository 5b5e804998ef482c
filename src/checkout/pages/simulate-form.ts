import { ASSETS } from '../../../machines/index.ts';
import type { PublicTransaction, SimulateAction } from '../../payments/index.ts';
import { type Html, html } from '../html.ts';
import type { Screen } from '../screen.ts';

/** What the buttons of a test payment say, and on which screens each makes sense. */
const BUTTONS: readonly { readonly action: SimulateAction; readonly label: string; readonly on: readonly Screen[] }[] =
  [
    { action: 'pay', label: 'Pay what is due', on: ['waiting', 'partial'] },
    { action: 'pay_partial', label: 'Pay a part', on: ['waiting', 'partial'] },
    { action: 'overpay', label: 'Pay too much', on: ['waiting', 'partial', 'seen', 'completed'] },
    { action: 'confirm', label: 'Confirm', on: ['partial', 'seen', 'late', 'failed', 'reviewing'] },
    { action: 'double_spend', label: 'Double-spend', on: ['partial', 'seen', 'late'] },
    { action: 'reorg', label: 'Reorganise the chain', on: ['seen', 'completed', 'late'] },
    { action: 'advance_clock', label: 'Let the time run out', on: ['waiting', 'partial'] },
    { action: 'pay_late', label: 'Pay late', on: ['waiting', 'partial', 'expired', 'failed'] },
    { action: 'drop_balance', label: 'Drop the balance', on: ['waiting', 'partial'] },
  ];

/** Buttons that make something happen to a simulated payment. Plain form posts: they need no script. */
export function simulateForm(transaction: PublicTransaction, screen: Screen): Html | null {
  if (!transaction.isSimulated || transaction.mode !== 'test') return null;
  const isEthereum = ASSETS[transaction.crypto].chain === 'ethereum';
  const buttons = BUTTONS.filter(({ action, on }) => on.includes(screen) && (isEthereum || action !== 'drop_balance'));
  if (buttons.length === 0) return null;
  return html`<form class="simulate" method="post" action="${transaction.id}/simulate">
  <h2>Simulate</h2>
  <p>Only test payments have these buttons.</p>
  <div>${buttons.map(({ action, label }) => html`<button id="simulate-${action}" name="action" value="${action}">${label}</button>`)}</div>
</form>`;
}
