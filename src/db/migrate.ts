import { type Kysely, type Migration, Migrator } from 'kysely';
import type { Database } from './database.ts';
import * as createEngine from './migrations/2026_11_21_1000_create_engine.ts';
import * as createMerchantsAndWallets from './migrations/2026_11_21_1010_create_merchants_and_wallets.ts';
import * as createTransactionsAndWebhooks from './migrations/2026_11_21_1020_create_transactions_and_webhooks.ts';
import * as watchEveryCoin from './migrations/2026_11_21_1100_watch_every_coin.ts';
import * as foreignMoneyAndVetting from './migrations/2026_11_21_1110_foreign_money_and_vetting.ts';
import * as plansAndBilling from './migrations/2026_11_21_1200_plans_and_billing.ts';
import * as countRequestsAndManageKeys from './migrations/2026_11_21_1210_count_requests_and_manage_keys.ts';
import * as listingAndShoppers from './migrations/2026_11_21_1220_listing_and_shoppers.ts';
import * as paymentLinks from './migrations/2026_11_21_1230_payment_links.ts';
import * as webhookLogAndHealth from './migrations/2026_11_21_1300_webhook_log_and_health.ts';
import * as mailAndNotices from './migrations/2026_11_21_1310_mail_and_notices.ts';
import * as readWebhookDeliveries from './migrations/2026_11_21_1320_read_webhook_deliveries.ts';
import * as recurring from './migrations/2026_11_22_1400_recurring.ts';
import * as mailToCustomers from './migrations/2026_11_22_1410_mail_to_customers.ts';
import * as keepNoSentContent from './migrations/2026_11_22_1420_keep_no_sent_content.ts';
import * as accounts from './migrations/2026_11_22_1500_accounts.ts';
import * as operations from './migrations/2026_11_22_1510_operations.ts';
import * as attention from './migrations/2026_11_22_1600_attention.ts';
import * as operatorDeeds from './migrations/2026_11_22_1610_operator_deeds.ts';
import * as searchPayments from './migrations/2026_11_22_1620_search_payments.ts';
import * as provisionedSettings from './migrations/2026_11_22_1630_provisioned_settings.ts';

/** In the order they run. A released migration is never edited, renamed or removed; change goes forward only. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '2026_11_21_1000_create_engine': createEngine,
  '2026_11_21_1010_create_merchants_and_wallets': createMerchantsAndWallets,
  '2026_11_21_1020_create_transactions_and_webhooks': createTransactionsAndWebhooks,
  '2026_11_21_1100_watch_every_coin': watchEveryCoin,
  '2026_11_21_1110_foreign_money_and_vetting': foreignMoneyAndVetting,
  '2026_11_21_1200_plans_and_billing': plansAndBilling,
  '2026_11_21_1210_count_requests_and_manage_keys': countRequestsAndManageKeys,
  '2026_11_21_1220_listing_and_shoppers': listingAndShoppers,
  '2026_11_21_1230_payment_links': paymentLinks,
  '2026_11_21_1300_webhook_log_and_health': webhookLogAndHealth,
  '2026_11_21_1310_mail_and_notices': mailAndNotices,
  '2026_11_21_1320_read_webhook_deliveries': readWebhookDeliveries,
  '2026_11_22_1400_recurring': recurring,
  '2026_11_22_1410_mail_to_customers': mailToCustomers,
  '2026_11_22_1420_keep_no_sent_content': keepNoSentContent,
  '2026_11_22_1500_accounts': accounts,
  '2026_11_22_1510_operations': operations,
  '2026_11_22_1600_attention': attention,
  '2026_11_22_1610_operator_deeds': operatorDeeds,
  '2026_11_22_1620_search_payments': searchPayments,
  '2026_11_22_1630_provisioned_settings': provisionedSettings,
};

/**
 * Brings the schema to this version. Safe to call from several processes at once: the migrator takes a
 * lock. Throws when a migration fails, and when the database was already moved on by a newer version.
 */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error('The database schema could not be brought up to date', { cause: error });
  return (results ?? []).map((result) => result.migrationName);
}
