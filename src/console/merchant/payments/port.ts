import type { ExportBatch, PaymentSearch, PaymentSearchRequest, Scope } from '../../../payments/index.ts';
import type { PaymentPage } from '../../contract/payments.ts';

/** A merchant's payments as a list and as a file. The scope is derived from the member. */
export interface PaymentsDesk {
  /** Throws `INVALID_CURSOR` for a cursor that no page returned. */
  list(scope: Scope, request: PaymentSearchRequest): Promise<PaymentPage>;
  /** All matches, newest first; each batch is read on demand. */
  export(scope: Scope, search: PaymentSearch): AsyncGenerator<ExportBatch>;
  /** Today's date in UTC, like `2026-11-22`. */
  today(): string;
}
