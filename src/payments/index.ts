export type { Admission, WantedStart } from './admission.ts';
export type { LineItem } from './attachment.ts';
export type { AttentionFact, AttentionKind } from './attention/attention-of.ts';
export { ATTENTION_KINDS } from './attention/attention-of.ts';
export type { AttentionItem, AttentionListRequest, AttentionPage } from './attention/list-attention.ts';
export { countAttention, listAttention } from './attention/list-attention.ts';
export type { SettleRequest } from './attention/settle-attention.ts';
export { MAX_NOTE_CHARACTERS, settleAttention } from './attention/settle-attention.ts';
export { createBalanceDropSink } from './balance-drop-sink.ts';
export type { ChainLease, ChainLeaseDeps } from './chain-lease.ts';
export { createChainLease } from './chain-lease.ts';
export type { ChainState, ChainStatus } from './chain-status.ts';
export { BLIND_AFTER_MS, CHAIN_STATES, readChainStatus, SILENT_AFTER_MS } from './chain-status.ts';
export type { ClientHash } from './client-hash.ts';
export { canonicalAddress, createClientHash } from './client-hash.ts';
export type { Completion, CompletionHook } from './completions.ts';
export type { DetailedRequest } from './create-detailed.ts';
export { createDetailed } from './create-detailed.ts';
export type { CreateDeps, Created, CreateRequest, CreateSpecials } from './create-transaction.ts';
export { createTransaction } from './create-transaction.ts';
export type { DecideDeps, DecisionRequest } from './decide-transaction.ts';
export { decideTransaction, MAX_DECISION_REASON_CHARACTERS } from './decide-transaction.ts';
export type { DecideWithKeyDeps } from './decide-with-key.ts';
export { decideWithKey } from './decide-with-key.ts';
export type { PaymentDecision } from './decision.ts';
export { DECISIONS, decisionsFor } from './decision.ts';
export type { PaymentDetail, PaymentSplit, PaymentStray, Worth } from './detail/read-payment.ts';
export { readPaymentDetail } from './detail/read-payment.ts';
export type { TimelineActor, TimelineEntry, TimelineFacts, TimelineSource } from './detail/timeline.ts';
export { timelineOf } from './detail/timeline.ts';
export { fiatWorth } from './fiat-worth.ts';
export type { ReadDeps, Scope } from './get-transaction.ts';
export { createTransactionReader } from './get-transaction.ts';
export { hashOf } from './idempotency.ts';
export type { KeylessOpener } from './keyless-payments.ts';
export { tooManyOpenPayments, wasOpenedBy } from './keyless-payments.ts';
export type { TransactionType } from './list-conditions.ts';
export { TRANSACTION_TYPES } from './list-conditions.ts';
export type { ListRequest, TransactionPage } from './list-transactions.ts';
export { listTransactions } from './list-transactions.ts';
export { createObservationSink } from './observation-sink.ts';
export type { OpenPayment } from './open-payment-of-client.ts';
export { ActiveTransactionError, findOpenPayment } from './open-payment-of-client.ts';
export type { OperatorAlert } from './operator-alerts.ts';
export { createOperatorAlertHandler, raiseOperatorAlerts } from './operator-alerts.ts';
export { listCryptos, listPayableCryptos } from './payable-cryptos.ts';
export { paymentEventId } from './payment-event-id.ts';
export type { ConnectedNetworks, PaymentNetworks } from './payment-networks.ts';
export { createPaymentNetworks } from './payment-networks.ts';
export {
  createPublicTransactions,
  getPublicTransaction,
  listPublicTransactions,
  listPublicVersions,
  type PublicPayment,
  type PublicTransaction,
  type PublicTransactions,
  type PublicVersion,
  simulateAsCustomer,
} from './public-view.ts';
export { OPERATOR_ALERT_QUEUE, SIMULATED_VERIFY_QUEUE, verifyQueue } from './queues.ts';
export { scopeOfPayment } from './scope-of-payment.ts';
export type { ExportBatch, ExportedPayment } from './search/export-payments.ts';
export { exportPayments } from './search/export-payments.ts';
export type { PaymentSearch } from './search/filter.ts';
export type { PaymentSearchRequest } from './search/search-payments.ts';
export { MAX_PAYMENTS_PER_PAGE, searchPayments } from './search/search-payments.ts';
export type { SimulateAction, SimulateDeps, SimulateRequest } from './simulate.ts';
export { SIMULATE_ACTIONS, simulate } from './simulate.ts';
export type { SimulatedStanding } from './simulations-for.ts';
export { simulationsFor } from './simulations-for.ts';
export type { Share, Stats, StatsDeps, StatsRequest, Usage } from './stats.ts';
export { getStats } from './stats.ts';
export { STATS_INTERVALS } from './stats-buckets.ts';
export type { StrayPayment } from './stray-payments.ts';
export { countStrayPayments, listStrayPayments } from './stray-payments.ts';
export type { TransactionKindDeps } from './transaction-kind.ts';
export { createTransactionKind } from './transaction-kind.ts';
export { createVerifyHandler } from './verify-outputs.ts';
export { createSimulatedVerifyHandler } from './verify-simulated.ts';
export type { PaymentView, TransactionView } from './view.ts';
export { paymentUrl } from './view.ts';
export { createWatchSet } from './watch-set.ts';
export { createWatcherStore } from './watcher-store.ts';
export { createAccountBook } from './watching/account-book.ts';
export type { ChainOverview, Overview } from './watching/chain-overview.ts';
export { createChainOverview } from './watching/chain-overview.ts';
export type { Leader, LeaderTask } from './watching/leader.ts';
export { runWhileLeader } from './watching/leader.ts';
export { rewindWatchers } from './watching/rewind-watchers.ts';
export { keepStatus } from './watching/status-keeper.ts';
export { paymentEventBody } from './webhook-body.ts';
