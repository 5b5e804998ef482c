import { parseCoins } from '../../../machines/index.ts';
import type { Caller } from '../../merchants/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { requireCustomerText } from '../../platform/text.ts';
import { MAX_FIAT_AMOUNT, parseFiatAmount } from '../../rates/index.ts';
import type { LineItem } from '../projection/attachment.ts';
import {
  type CreateDeps,
  type Created,
  type CreateRequest,
  createTransaction,
  type PaymentOptions,
} from './create-transaction.ts';

/** A `CreateRequest` with line items instead of an amount. */
export interface DetailedRequest extends Omit<CreateRequest, 'amount' | 'detail'> {
  readonly orderId: string;
  readonly items: readonly ItemInput[];
}

/** A line item as the merchant sent it. */
export interface ItemInput {
  readonly name: string;
  readonly quantity: number;
  /** In the fiat currency, per unit. */
  readonly price: number;
}

/**
 * Starts a payment for line items: the amount is their sum, in whole cents. Shares the idempotency
 * keys of `createTransaction`. Throws what that throws, including `PLAN_UPGRADE_REQUIRED` of
 * admission.
 */
export async function createDetailed(
  deps: CreateDeps,
  caller: Caller,
  { items: itemInputs, orderId, ...rest }: DetailedRequest,
  idempotencyKey: string | null,
  options: PaymentOptions = {},
): Promise<Created> {
  const items = itemInputs.map(readItem);
  const request = { ...rest, amount: amountOf(items), detail: { orderId, items } };
  return createTransaction(deps, caller, request, idempotencyKey, options);
}

// Helpers

const FIAT_DECIMALS = 2;
const CENTS = 10 ** FIAT_DECIMALS;

function readItem({ name, quantity, price }: ItemInput, index: number): LineItem {
  requireCustomerText(name, `items.${index}.name`);
  // A free item is a line as well; only the sum must be above zero.
  if (price === 0) return { name, quantity, price: '0' };
  const parsed = parseFiatAmount(price);
  if (parsed.ok) return { name, quantity, price: parsed.amountFiat };
  const field = `items.${index}.price`;
  const message = parsed.message.replace(/^The amount/, field);
  throw new TerminalError('INVALID_AMOUNT', message, { field });
}

/** Exact: cents are added as integers, and every allowed sum is a double with two decimals. */
function amountOf(items: readonly LineItem[]): number {
  let cents = 0n;
  for (const { quantity, price } of items) cents += BigInt(quantity) * parseCoins(price, FIAT_DECIMALS, 'price');
  if (cents > BigInt(MAX_FIAT_AMOUNT) * BigInt(CENTS)) {
    const message = `The items may cost at most ${MAX_FIAT_AMOUNT} in total`;
    throw new TerminalError('INVALID_AMOUNT', message, { field: 'items' });
  }
  return Number(cents) / CENTS;
}
