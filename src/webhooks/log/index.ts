export type { DeliveryCounts } from './count-deliveries.ts';
export { countDeliveries, MAX_COUNTED } from './count-deliveries.ts';
export type { DeliveryView } from './delivery-view.ts';
export { DELIVERY_STATES } from './delivery-view.ts';
export type { AttemptView, LoggedDelivery } from './get-delivery.ts';
export { getDelivery, MAX_SHOWN_ATTEMPTS } from './get-delivery.ts';
export type { DeliveryListRequest, DeliveryPage } from './list-deliveries.ts';
export { listDeliveries } from './list-deliveries.ts';
export { listTransactionEvents } from './list-transaction-events.ts';
