import { seenNotDeclinedBaseUnits } from './rules/sums.ts';
import { transactionEffects as base } from './setup.ts';

/** The operator's alert that coins of a completed payment left the chain; it stays completed. */
export const lossAlertActions = {
  alertLostCoins: base.enqueueActions(({ context, enqueue }) => {
    enqueue.assign({ lossAlerted: true });
    const { settledBaseUnits, surplusSettledBaseUnits: surplus } = context;
    const isLeft = `settled ${settledBaseUnits} base units, ${seenNotDeclinedBaseUnits(context)} are left on the chain`;
    const detail = surplus === undefined ? isLeft : `${isLeft}, and a user has settled ${surplus} as too much`;
    enqueue({ type: 'alertOperator', params: { alert: 'completed_payment_lost', detail } });
  }),
  endLossAlert: base.assign({ lossAlerted: false }),
};
