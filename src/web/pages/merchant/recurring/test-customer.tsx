import type { ScheduleDetail, SimulateScheduleBody } from '../../../../http/console/merchant/recurring/schemas.ts';
import { useSimulateSchedule } from '../../../api/recurring.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { AdvanceClock } from '../../../ui/forms/advance-clock.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { When } from './when.tsx';

/** Controls the clock and the customer of a test schedule. */
export function TestCustomer({ detail }: { readonly detail: ScheduleDetail }) {
  const { schedule, now } = detail;
  const { status, nextDueAt } = schedule;
  const simulate = useSimulateSchedule(schedule.id);
  const take = (body: SimulateScheduleBody, done: string) => simulate.mutate(body, { onSuccess: () => toast(done) });
  const isOpen = status === 'pending_confirmation' || status === 'active' || status === 'paused';
  return (
    <Card title="Simulate the customer (test)">
      <div className="form">
        <p>
          For this request it is <When at={now} />. The clock affects only this request and moves only forward.
        </p>
        {nextDueAt === null || nextDueAt <= now ? null : (
          <Button
            isBusy={simulate.isPending}
            onClick={() => take({ action: 'advance_clock', to: nextDueAt }, 'The next payment is due.')}
          >
            Advance to the next payment
          </Button>
        )}
        <AdvanceClock
          steps={STEPS}
          isBusy={simulate.isPending}
          onAdvance={(seconds) =>
            take({ action: 'advance_clock', seconds }, 'The clock moved forward, and everything due was processed.')
          }
        />
        {isOpen ? (
          <div className="button-row">
            {status === 'pending_confirmation' ? (
              <Button variant="main" onClick={() => take({ action: 'confirm' }, 'The customer has agreed.')}>
                Agree
              </Button>
            ) : null}
            <Button onClick={() => take({ action: 'stop' }, 'The customer stopped the requests.')}>
              Stop the requests
            </Button>
            <Button onClick={() => take({ action: 'bounce' }, 'The email bounced.')}>Bounce the email</Button>
          </div>
        ) : null}
        <Problem error={simulate.error} />
      </div>
    </Card>
  );
}

// Helpers

const STEPS = [
  [86_400, '1 day'],
  [7 * 86_400, '1 week'],
  [31 * 86_400, '31 days'],
  [366 * 86_400, '1 year'],
] as const;
