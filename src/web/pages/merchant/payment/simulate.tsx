import type { PaymentInfo, SimulationName } from '../../../../http/console/merchant/payment/schemas.ts';
import { useSimulate } from '../../../api/payments.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { AdvanceClock } from '../../../ui/forms/advance-clock.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { durationText } from '../../../ui/values/time-text.ts';

/**
 * A test payment has a simulated chain and its own clock, so every event of a payment can be tried
 * here.
 */
export function Simulate({ payment }: { readonly payment: PaymentInfo }) {
  const simulate = useSimulate(payment.id);
  const { simulations, clockOffsetMs } = payment;
  if (simulations.length === 0) return null;
  const running = simulate.isPending ? simulate.variables?.action : undefined;
  return (
    <Card title="Simulate" className="simulate">
      <p className="soft">This is a test payment. Simulate an event and see how your shop reacts.</p>
      <div className="simulate-buttons">
        {simulations
          .filter((action): action is ChainAction => action !== 'advance_clock')
          .map((action) => (
            <Button
              key={action}
              title={ACTIONS[action].about}
              isBusy={running === action}
              onClick={() => simulate.mutate({ action })}
            >
              {ACTIONS[action].button}
            </Button>
          ))}
      </div>
      <AdvanceClock
        steps={STEPS}
        preset={HOUR_SECONDS}
        isBusy={running === 'advance_clock'}
        hint={clockOffsetMs > 0 ? `${durationText(clockOffsetMs)} ahead` : undefined}
        onAdvance={(seconds) => simulate.mutate({ action: 'advance_clock', seconds })}
      />
      <Problem error={simulate.error} />
    </Card>
  );
}

// Helpers

const HOUR_SECONDS = 3_600;
const STEPS = [
  [600, '10 minutes'],
  [HOUR_SECONDS, '1 hour'],
  [6 * HOUR_SECONDS, '6 hours'],
  [86_400, '1 day'],
  [31 * 86_400, '31 days'],
] as const;

type ChainAction = Exclude<SimulationName, 'advance_clock'>;

/** The buttons have the names that customers see on a test payment's page. */
const ACTIONS: { readonly [A in ChainAction]: { readonly button: string; readonly about: string } } = {
  pay: { button: 'Pay what is due', about: 'The customer sends exactly the remaining amount' },
  pay_partial: { button: 'Pay a part', about: 'The customer sends half of the remaining amount' },
  overpay: { button: 'Pay too much', about: 'The customer sends 10% too much' },
  pay_late: { button: 'Pay late', about: 'The payment window closes, then the customer pays' },
  confirm: { button: 'Confirm', about: 'The network confirms what was sent' },
  double_spend: { button: 'Double-spend', about: 'The latest unconfirmed payment is sent to another address' },
  reorg: { button: 'Reorganise the chain', about: 'The latest block with coins of this payment disappears' },
  drop_balance: { button: 'Drop the balance', about: 'Coins leave the address for an unknown reason' },
};
