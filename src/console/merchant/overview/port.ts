import type { CryptoSymbol, FiatCurrency } from '../../../../machines/index.ts';
import type { Overview, OverviewQuery, StartedPayment, TestPaymentBody } from '../../contract/overview.ts';
import type { Member } from '../member.ts';

/** The overview of a member's merchant. */
export interface OverviewDesk {
  read(member: Member, query: OverviewQuery): Promise<Overview>;
  /**
   * Rejects with a `TerminalError` of the merchant API, like `AMOUNT_TOO_LOW` or `INVALID_AMOUNT`.
   */
  startTestPayment(member: Member, request: WantedTestPayment): Promise<StartedPayment>;
}

export interface WantedTestPayment extends TestPaymentBody {
  readonly crypto: CryptoSymbol;
  readonly currency: FiatCurrency;
}
