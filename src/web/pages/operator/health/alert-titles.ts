import { capitalized } from '../../../ui/values/word-text.ts';

/** Alerts by their names, which logs, metrics and the documentation have. */
const TITLES: Readonly<Record<string, string>> = {
  completed_payment_lost: 'Coins of a completed payment disappeared',
  coins_at_unassigned_address: 'Deposit to an address without a payment',
  coins_after_monitoring: 'Coins arrived after the payment was closed',
  coins_in_other_asset: 'Payment received in a different coin',
  payment_link_overused: 'A payment link was paid too often',
  period_paid_twice: 'A period was paid twice',
  plan_purchase_without_effect: 'A purchased plan could not be applied',
  archive_refused: 'An actor cannot be archived',
  row_unreadable: 'A row of the database cannot be read',
  partition_missing: 'A partition of the database was missing',
  replays_blocked: 'Webhook replays are blocked',
  wallet_refused: "A merchant was refused another merchant's wallet",
  wallet_used_before: 'A wallet had been used before',
};

export function alertTitle(alert: string): string {
  return TITLES[alert] ?? capitalized(alert.replaceAll('_', ' '));
}
