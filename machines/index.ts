/**
 * Quittance's pure statecharts and their vocabulary. No clock, randomness or I/O in here:
 * `transition(machine, snapshot, event)` decides and the caller acts.
 */

export { deliveryMachine } from './delivery/machine.ts';
export {
  DELIVERY_HORIZON_MS,
  JITTER_FRACTION,
  MAX_ATTEMPTS,
  RESPONSE_OVERDUE_MS,
  RETRY_DELAYS_MS,
  retryDelayMs,
  SILENCE_HORIZON_MS,
} from './delivery/retry-policy.ts';
export type {
  AttemptFailure,
  DeliveryContext,
  DeliveryEffects,
  DeliveryEvent,
  DeliveryTerms,
} from './delivery/types.ts';
export type { Interval } from './schedule/calendar.ts';
export { addMonths, INTERVALS, newestPeriodDue, periodDueAt } from './schedule/calendar.ts';
export { scheduleMachine } from './schedule/machine.ts';
export { scheduleStatusOf } from './schedule/public-status.ts';
export {
  CONFIRMATION_WINDOW_MS,
  FORGET_AFTER_MS,
  MAX_CONFIRMATIONS,
  nextPeriod,
  PAYABLE_AFTER_END_MS,
  REMINDERS_MS,
  UNPAID_AFTER_MS,
} from './schedule/rules.ts';
export type {
  RequestedPeriod,
  ScheduleContext,
  ScheduleEffects,
  ScheduleEmail,
  ScheduleEnd,
  ScheduleEvent,
  ScheduleNotification,
  ScheduleStatus,
  ScheduleTerms,
  ScheduleTimer,
} from './schedule/types.ts';
export { SCHEDULE_STATUSES } from './schedule/types.ts';
export { statePath } from './state-path.ts';
export type {
  ChainOrder,
  GoneReason,
  Outdated,
  OutputRecord,
  Presence,
  Quote,
  Review,
  ScheduledPeriod,
  TransactionContext,
  TransactionTerms,
} from './transaction/context.ts';
export { isMoneyOf } from './transaction/decided-money.ts';
export type { MerchantNotification, TransactionEffects, TransactionTimer } from './transaction/effects.ts';
export type { ChainEvent, MerchantEvent, MerchantSettled, TransactionEvent } from './transaction/events.ts';
export { transactionMachine } from './transaction/machine.ts';
export { liveOutputs } from './transaction/outputs.ts';
export type { PublicState, TransactionState } from './transaction/public-status.ts';
export { PUBLIC_STATES, paymentStatusOf, publicStateOf, replacedIds } from './transaction/public-status.ts';
export { confirmationDeadlineMs } from './transaction/rules/confirmation-deadline.ts';
export { beyondDeclined, isDeclined } from './transaction/rules/declined-coins.ts';
export { isInTime } from './transaction/rules/in-time.ts';
export {
  isAcknowledged,
  lateOutputs,
  missedDeadline,
  PAID_LATE_WINDOW_MS,
  wasGivenUp,
} from './transaction/rules/late-coins.ts';
export {
  balanceBaseUnits,
  confirmedBalanceBaseUnits,
  confirmedLeftBaseUnits,
  leftBaseUnits,
  lossSettlesMs,
  staysPaidWithBaseUnits,
} from './transaction/rules/losses.ts';
export { MONITORING_MS, monitoringEndsAt } from './transaction/rules/monitoring.ts';
export { confirmationsRequired } from './transaction/rules/required-confirmations.ts';
export {
  confirmedBaseUnits,
  seenBaseUnits,
  seenNotDeclinedBaseUnits,
} from './transaction/rules/sums.ts';
export {
  MAX_TOLERANCE_BASIS_POINTS,
  overpaidAboveBaseUnits,
  remainingBaseUnits,
  requiredBaseUnits,
  toleranceBaseUnits,
} from './transaction/rules/tolerance.ts';
export { MAX_WINDOW_MINUTES, MIN_WINDOW_MINUTES, windowMs } from './transaction/rules/window.ts';
export { CHART_VERSIONS } from './versions.ts';
export type { BaseUnitsString } from './vocabulary/amount.ts';
export { formatCoins, parseBaseUnits, parseCoins, sumBaseUnits } from './vocabulary/amount.ts';
export type { Asset, Chain, ChainFamily, CryptoSymbol, FiatCurrency } from './vocabulary/asset.ts';
export { ASSETS, CHAINS, CRYPTO_SYMBOLS, FIAT_CURRENCIES, familyOf, isCryptoSymbol } from './vocabulary/asset.ts';
export type { Mode } from './vocabulary/mode.ts';
export { MODES } from './vocabulary/mode.ts';
export type { PaymentEvent } from './vocabulary/payment-event.ts';
export { PAYMENT_EVENTS } from './vocabulary/payment-event.ts';
export type { PaymentStatus, TransactionException, TransactionStatus } from './vocabulary/status.ts';
export { PAYMENT_STATUSES, TRANSACTION_EXCEPTIONS, TRANSACTION_STATUSES } from './vocabulary/status.ts';
export type { UnixMs } from './vocabulary/time.ts';
export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './vocabulary/time.ts';
export type { TransactionType } from './vocabulary/transaction-type.ts';
export { TRANSACTION_TYPES } from './vocabulary/transaction-type.ts';
