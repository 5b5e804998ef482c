import type { Generated } from 'kysely';
import type * as account from './tables/account.ts';
import type * as chain from './tables/chain.ts';
import type { InsertTimestamp } from './tables/columns.ts';
import type * as engine from './tables/engine.ts';
import type * as link from './tables/link.ts';
import type * as mail from './tables/mail.ts';
import type * as billing from './tables/merchant.ts';
import type * as merchant from './tables/merchant.ts';
import type * as recurring from './tables/recurring.ts';
import type * as attention from './tables/transaction.ts';
import type * as transaction from './tables/transaction.ts';
import type * as webhook from './tables/webhook.ts';

/** Every table, by name. Queries live in the folders that own the tables. */
export interface Database {
  schema_compatibility: SchemaCompatibilityTable;

  actor: engine.ActorTable;
  journal_entry: engine.JournalEntryTable;
  actor_archive: engine.ActorArchiveTable;
  archived_actor: engine.ArchivedActorTable;
  timer: engine.TimerTable;
  watermark: engine.WatermarkTable;
  outbox_message: engine.OutboxMessageTable;
  pending_observation: engine.PendingObservationTable;
  dead_letter: engine.DeadLetterTable;

  merchant: merchant.MerchantTable;
  merchant_user: merchant.MerchantUserTable;
  api_key: merchant.ApiKeyTable;
  audit_entry: merchant.AuditEntryTable;
  session: account.SessionTable;
  recovery_code: account.RecoveryCodeTable;
  login_throttle: account.LoginThrottleTable;
  account_token: account.AccountTokenTable;
  setup_link: account.SetupLinkTable;
  sign_up: account.SignUpTable;
  mail: mail.MailTable;
  request_count: merchant.RequestCountTable;

  derivation_key: chain.DerivationKeyTable;
  wallet: chain.WalletTable;
  address: chain.AddressTable;
  free_address: chain.FreeAddressTable;
  chain_cursor: chain.ChainCursorTable;
  chain_block: chain.ChainBlockTable;
  chain_lease: chain.ChainLeaseTable;
  unsettled_output: chain.UnsettledOutputTable;
  account_balance: chain.AccountBalanceTable;
  unassigned_payment: chain.UnassignedPaymentTable;

  transaction: transaction.TransactionRow;
  transaction_terms: transaction.TransactionTermsTable;
  transaction_status: transaction.TransactionStatusTable;
  transaction_metadata: transaction.TransactionMetadataTable;
  transaction_count: transaction.TransactionCountTable;
  payment: transaction.PaymentTable;
  attention_item: attention.AttentionItemTable;
  operator_alert: transaction.OperatorAlertTable;

  webhook_endpoint: webhook.WebhookEndpointTable;
  webhook_event: webhook.WebhookEventTable;
  webhook_delivery: webhook.WebhookDeliveryTable;
  webhook_attempt: webhook.WebhookAttemptTable;
  webhook_replay: webhook.WebhookReplayTable;

  image: merchant.ImageTable;
  payment_link: link.PaymentLinkTable;
  link_payment: link.LinkPaymentTable;

  schedule: recurring.ScheduleTable;
  schedule_period: recurring.SchedulePeriodTable;
  schedule_attempt: recurring.ScheduleAttemptTable;
  schedule_token: recurring.ScheduleTokenTable;

  plan: billing.PlanTable;
  monthly_usage: billing.MonthlyUsageTable;
  plan_purchase: billing.PlanPurchaseTable;
}

interface SchemaCompatibilityTable {
  only_row: Generated<boolean>;
  /** The oldest version that can run on this schema. */
  compatible_from: string;
  /** The newest version that changed it. */
  changed_by: string | null;
  changed_at: InsertTimestamp;
}
