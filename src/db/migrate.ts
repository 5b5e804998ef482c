import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import { refuseOutdatedSchema } from './migrating/check-schema.ts';
import { runMigrations } from './migrating/run-migrations.ts';
import { readSchemaState, type SchemaState } from './migrating/schema-state.ts';
import type { MigrateOptions, SchemaMigrations } from './migrating/types.ts';
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
import * as journalByMonth from './migrations/2026_11_22_1700_journal_by_month.ts';
import * as archive from './migrations/2026_11_22_1701_archive.ts';
import * as attemptsByMonth from './migrations/2026_11_22_1702_attempts_by_month.ts';
import * as vacuumByTable from './migrations/2026_11_22_1703_vacuum_by_table.ts';
import * as dropUnusedIndexes from './migrations/2026_11_22_1704_drop_unused_indexes.ts';
import * as carryWork from './migrations/2026_11_22_1720_carry_work.ts';
import * as deedsOfCommands from './migrations/2026_11_22_1730_deeds_of_commands.ts';
import * as schemaCompatibility from './migrations/2026_11_22_1740_schema_compatibility.ts';
import * as dueTimers from './migrations/2026_11_22_1760_due_timers.ts';
import * as planDays from './migrations/2026_11_22_1790_plan_days.ts';
import * as announcedEvents from './migrations/2026_11_22_1800_announced_events.ts';
import * as claimAttempts from './migrations/2026_11_22_1805_claim_attempts.ts';
import * as deletingFunctions from './migrations/2026_11_22_1810_deleting_functions.ts';
import * as guardedMonths from './migrations/2026_11_22_1811_guarded_months.ts';
import * as expireByIndex from './migrations/2026_11_22_1830_expire_by_index.ts';
import * as auditByAge from './migrations/2026_11_22_1831_audit_by_age.ts';
import * as webhookModes from './migrations/2026_11_23_1000_webhook_modes.ts';
import * as boundedPayments from './migrations/2026_11_23_1910_bounded_payments.ts';
import * as followWatchedBalances from './migrations/2026_11_23_2000_follow_watched_balances.ts';
import * as findDueBalances from './migrations/2026_11_23_2001_find_due_balances.ts';
import * as walletModes from './migrations/2026_11_23_2010_wallet_modes.ts';
import * as orderOfActions from './migrations/2026_11_23_2020_order_of_actions.ts';
import * as lastChangeOfArchived from './migrations/2026_11_23_2021_last_change_of_archived.ts';
import * as rotatedSecrets from './migrations/2026_11_23_2022_rotated_secrets.ts';
import * as confirmedSessions from './migrations/2026_11_23_2023_confirmed_sessions.ts';
import * as replacedWallets from './migrations/2026_11_23_2024_replaced_wallets.ts';
import * as sessionNetworks from './migrations/2026_11_23_2025_session_networks.ts';
import * as keylessPayments from './migrations/2026_11_23_2027_keyless_payments.ts';
import * as retriedDeadLetters from './migrations/2026_11_23_2031_retried_dead_letters.ts';
import * as keptMessages from './migrations/2026_11_23_2039_kept_messages.ts';
import * as settledUnassignedCoins from './migrations/2026_11_24_1100_settled_unassigned_coins.ts';
import * as attentionRevisions from './migrations/2026_11_24_1101_attention_revisions.ts';
import * as signUpsWithoutPassword from './migrations/2026_11_25_1000_sign_ups_without_password.ts';
import * as keylessSubnets from './migrations/2026_11_25_2310_keyless_subnets.ts';
import * as merchantApprovals from './migrations/2026_11_25_2320_merchant_approvals.ts';

/** In execution order. A released migration is never edited, renamed or removed; forward only. */
export const MIGRATIONS: SchemaMigrations = {
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
  '2026_11_22_1700_journal_by_month': journalByMonth,
  '2026_11_22_1701_archive': archive,
  '2026_11_22_1702_attempts_by_month': attemptsByMonth,
  '2026_11_22_1703_vacuum_by_table': vacuumByTable,
  '2026_11_22_1704_drop_unused_indexes': dropUnusedIndexes,
  '2026_11_22_1720_carry_work': carryWork,
  '2026_11_22_1730_deeds_of_commands': deedsOfCommands,
  '2026_11_22_1740_schema_compatibility': schemaCompatibility,
  '2026_11_22_1760_due_timers': dueTimers,
  '2026_11_22_1790_plan_days': planDays,
  '2026_11_22_1800_announced_events': announcedEvents,
  '2026_11_22_1805_claim_attempts': claimAttempts,
  '2026_11_22_1810_deleting_functions': deletingFunctions,
  '2026_11_22_1811_guarded_months': guardedMonths,
  '2026_11_22_1830_expire_by_index': expireByIndex,
  '2026_11_22_1831_audit_by_age': auditByAge,
  '2026_11_23_1000_webhook_modes': webhookModes,
  '2026_11_23_1910_bounded_payments': boundedPayments,
  '2026_11_23_2000_follow_watched_balances': followWatchedBalances,
  '2026_11_23_2001_find_due_balances': findDueBalances,
  '2026_11_23_2010_wallet_modes': walletModes,
  '2026_11_23_2020_order_of_actions': orderOfActions,
  '2026_11_23_2021_last_change_of_archived': lastChangeOfArchived,
  '2026_11_23_2022_rotated_secrets': rotatedSecrets,
  '2026_11_23_2023_confirmed_sessions': confirmedSessions,
  '2026_11_23_2024_replaced_wallets': replacedWallets,
  '2026_11_23_2025_session_networks': sessionNetworks,
  '2026_11_23_2027_keyless_payments': keylessPayments,
  '2026_11_23_2031_retried_dead_letters': retriedDeadLetters,
  '2026_11_23_2039_kept_messages': keptMessages,
  '2026_11_24_1100_settled_unassigned_coins': settledUnassignedCoins,
  '2026_11_24_1101_attention_revisions': attentionRevisions,
  '2026_11_25_1000_sign_ups_without_password': signUpsWithoutPassword,
  '2026_11_25_2310_keyless_subnets': keylessSubnets,
  '2026_11_25_2320_merchant_approvals': merchantApprovals,
};

/**
 * Migrates the schema to this version and returns the names of the applied migrations. Safe to call
 * from several processes at once, and while the service runs. Does nothing on a schema of a newer
 * version that this version can run on.
 *
 * Throws a `TerminalError` `SCHEMA_TOO_NEW`, `SCHEMA_DIVERGED` or `SCHEMA_LOCKED`, or an error that
 * names the failed migration.
 */
export function migrate(db: Kysely<Database>, options: MigrateOptions = {}): Promise<string[]> {
  return runMigrations(db as Kysely<unknown>, MIGRATIONS, options);
}

/** Compares the schema with this version. Writes nothing. */
export function schemaStateOf(db: Kysely<Database>): Promise<SchemaState> {
  return readSchemaState(db as Kysely<unknown>, MIGRATIONS);
}

/**
 * Throws a `TerminalError` unless this version can run on the schema: `SCHEMA_OUTDATED`,
 * `SCHEMA_TOO_NEW` or `SCHEMA_DIVERGED`.
 */
export async function checkSchema(db: Kysely<Database>): Promise<void> {
  refuseOutdatedSchema(await schemaStateOf(db));
}
