import type { ExportBatch, PaymentSearch, PaymentSearchRequest, Scope } from '../../../payments/index.ts';
import type { PaymentPage } from '../../contract/payments.ts';

/** A merchant's payments as a list and as a file. The scope is made of the member who asks. */
export interface PaymentsDesk {
  /** Throws `INVALID_CURSOR` for a cursor that no page gave. */
  list(scope: Scope, request: PaymentSearchRequest): Promise<PaymentPage>;
  /** All that match, newest first; each part is read when it is asked for. */
  export(scope: Scope, search: PaymentSearch): AsyncGenerator<ExportBatch>;
  /** The day it is, like `2026-11-22`, in UTC. */
  today(): string;
}
