export type { CreateDeps, Created, CreateRequest } from './create-transaction.ts';
export { createTransaction } from './create-transaction.ts';
export type { ReadDeps, Scope } from './get-transaction.ts';
export { getTransaction } from './get-transaction.ts';
export type { ListRequest, TransactionPage } from './list-transactions.ts';
export { listTransactions } from './list-transactions.ts';
export type { LiveNetworks } from './live-networks.ts';
export { createLiveNetworks } from './live-networks.ts';
export { createObservationSink } from './observation-sink.ts';
export { createOperatorAlertHandler } from './operator-alerts.ts';
export {
  getPublicTransaction,
  listPublicTransactions,
  listPublicVersions,
  type PublicPayment,
  type PublicTransaction,
  type PublicVersion,
  simulateAsCustomer,
} from './public-view.ts';
export { OPERATOR_ALERT_QUEUE, SIMULATED_VERIFY_QUEUE, verifyQueue } from './queues.ts';
export type { SimulateAction, SimulateDeps, SimulateRequest } from './simulate.ts';
export { SIMULATE_ACTIONS, simulate } from './simulate.ts';
export { createTransactionKind } from './transaction-kind.ts';
export { createVerifyHandler } from './verify-outputs.ts';
export { createSimulatedVerifyHandler } from './verify-simulated.ts';
export type { PaymentView, TransactionView } from './view.ts';
export { createWatchSet } from './watch-set.ts';
export { createWatcherStore } from './watcher-store.ts';
