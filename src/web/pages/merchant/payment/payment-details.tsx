import type { PaymentInfo } from '../../../../http/console/merchant/payment/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Card, type Detail, DetailList } from '../../../ui/card.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { JsonTree } from '../../../ui/values/json-tree.tsx';
import { FullTimestamp } from '../../../ui/values/timestamp.tsx';

/** Customer, order and dates, items, exchange rate, and the shop's metadata. */
export function PaymentDetails({ payment }: { readonly payment: PaymentInfo }) {
  return (
    <>
      <Card title="Details">
        <DetailList items={detailsOf(payment)} />
      </Card>
      <Items payment={payment} />
      <Card title="Rate">
        <DetailList items={rateOf(payment)} />
      </Card>
      {payment.metadata === null ? null : (
        <Card title="Metadata">
          <JsonTree value={payment.metadata} openLevels={2} />
        </Card>
      )}
    </>
  );
}

// Helpers

function detailsOf(payment: PaymentInfo): readonly Detail[] {
  const { customerEmail, link, schedule, createdAt, expiresAt, completedAt, confirmationDeadlineAt } = payment;
  return [
    ['Customer', customerEmail ?? <None key="customer" />],
    ['Order', orderOf(payment) ?? <None key="order" />],
    link === null
      ? null
      : [
          'Payment link',
          <Link key="link" href={hrefOf('links', {})}>
            {link.title}
          </Link>,
        ],
    schedule === null
      ? null
      : [
          'Recurring request',
          <Link key="schedule" href={hrefOf('schedule', { id: schedule.scheduleId })}>
            period {schedule.periodNo}
          </Link>,
        ],
    ['Created', <FullTimestamp key="created" at={createdAt} />],
    ['Payment window ends', <FullTimestamp key="expires" at={expiresAt} />],
    confirmationDeadlineAt === null
      ? null
      : ['Confirmation deadline', <FullTimestamp key="deadline" at={confirmationDeadlineAt} />],
    completedAt === null ? null : ['Paid', <FullTimestamp key="completed" at={completedAt} isPast />],
  ];
}

/** The order id, else the `order` of the metadata, as in the list of payments. */
function orderOf({ orderId, metadata }: PaymentInfo): string | null {
  const order = orderId ?? metadata?.order;
  return isWord(order) ? String(order) : null;
}

function isWord(value: unknown): value is string | number | boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean';
}

function rateOf(payment: PaymentInfo): readonly Detail[] {
  const { exchangeRate, fiatToUsdRate, currencyFiat, crypto, amountUsd, rateSources, ratesAt, createdAt } = payment;
  return [
    [`1 ${crypto}`, <Amount key="rate" value={exchangeRate} currency="USD" />],
    currencyFiat === 'USD' ? null : [`1 ${currencyFiat}`, <Amount key="fiat" value={fiatToUsdRate} currency="USD" />],
    currencyFiat === 'USD' ? null : ['Amount in USD', <Amount key="usd" value={amountUsd} currency="USD" />],
    ['Locked', <FullTimestamp key="locked" at={createdAt} />],
    ['Oldest price', <FullTimestamp key="rates" at={ratesAt} />],
    ['From', rateSources.length === 0 ? <None key="sources" /> : rateSources.join(', ')],
  ];
}

function Items({ payment: { items, currencyFiat } }: { readonly payment: PaymentInfo }) {
  if (items === null || items.length === 0) return null;
  return (
    <Card title="Items">
      <ul className="lines">
        {items.map((item, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- items have no names
          <li key={index} className="line">
            <span className="wrap">
              {item.quantity.toLocaleString('en')} × {item.name}
            </span>
            <span>
              <Amount value={item.price} currency={currencyFiat} />
              {item.quantity === 1 ? null : <span className="soft"> each</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function None() {
  return <span className="soft">none</span>;
}
