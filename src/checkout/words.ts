import { ASSETS } from '../../machines/index.ts';
import { assertNever } from '../errors.ts';
import type { PublicTransaction } from '../payments/index.ts';
import type { Screen } from './screen.ts';

/** What a screen says first: a heading and sentences under it. Plain text; the templates escape it. */
export interface Words {
  readonly heading: string;
  readonly sentences: readonly string[];
}

/** What the screen says about this transaction. `windowIsOver` tells the two kinds of checking apart. */
export function wordsOf(screen: Screen, transaction: PublicTransaction, windowIsOver: boolean): Words {
  const { crypto, amountDue, amountPaid, amountRemaining, amountExcess } = transaction;
  switch (screen) {
    case 'waiting':
      return {
        heading: `Pay ${fiatAmount(transaction.amountFiat)} ${transaction.currencyFiat}`,
        sentences: [
          `Send exactly the amount of ${crypto} below: scan the code with your wallet, or copy amount and address.`,
        ],
      };
    case 'partial':
      return {
        heading: `${amountRemaining} ${crypto} is still missing`,
        sentences: [
          `${amountPaid} of ${amountDue} ${crypto} has arrived. Please send exactly ${amountRemaining} ${crypto} more to the same address.`,
        ],
      };
    case 'checking':
      return {
        heading: 'Checking the network',
        sentences: windowIsOver
          ? [
              'The time for this payment is over, and the network is being searched one last time.',
              'If you have paid in time, your payment counts. Please do not send anything now.',
            ]
          : [
              ...(amountPaid === '0' ? [] : [`${amountPaid} of ${amountDue} ${crypto} has arrived.`]),
              `We cannot see new payments on the ${networkWords(transaction).where} at the moment.`,
              'You can still pay: whatever you send in time will be found and counts. Please do not pay twice; this page goes on by itself.',
            ],
      };
    case 'seen':
      return {
        heading: 'Payment received',
        sentences: [
          `${amountPaid} ${crypto} is on its way and is being confirmed by the network. You can leave this page: the shop is told by itself.`,
        ],
      };
    case 'completed':
      return {
        heading: 'Paid',
        sentences: [
          transaction.completedBy === 'merchant'
            ? 'The shop has accepted this payment.'
            : `${amountPaid} ${crypto} is confirmed. Thank you.`,
          ...(amountExcess === '0'
            ? []
            : [`${amountExcess} ${crypto} more than was due has arrived. The shop has been told; please contact it.`]),
        ],
      };
    case 'expired':
      return {
        heading: 'This payment has expired',
        sentences: [
          ...(amountPaid === '0'
            ? []
            : [`${amountPaid} of ${amountDue} ${crypto} has arrived. Please contact the shop.`]),
          'Please do not send anything now: the price is no longer valid.',
          'Already sent? Your payment will be found, and the shop will be told.',
        ],
      };
    case 'late':
      return {
        heading: 'Your payment came late',
        sentences: [
          `${amountPaid} ${crypto} has arrived after the time was over. Nothing is lost: the shop has been told and decides what happens next.`,
          'Please do not send anything more. Questions? Contact the shop and give it the payment number below.',
        ],
      };
    case 'reviewing':
      return {
        heading: 'The shop is checking this payment',
        sentences: [
          'There was activity at the payment address that does not match a known payment. The shop has been asked to look at it.',
          'The clock stands still meanwhile. Please do not send anything more.',
        ],
      };
    case 'failed':
      return {
        heading: 'This payment has failed',
        sentences: [
          'The network did not confirm the payment, or the shop has refused it. Please contact the shop before you pay again.',
          'Should the coins arrive after all, they will be found, and the shop will be told.',
        ],
      };
    default:
      return assertNever(screen, 'screen');
  }
}

/** In which network the coins must be sent. Coins sent in another one cannot be brought back by any software. */
export function networkWords({ crypto, network }: PublicTransaction): { what: string; where: string } {
  const standard = ASSETS[crypto].type === 'token' ? ' (ERC-20)' : '';
  const kind = network.kind === 'mainnet' ? '' : network.kind === 'testnet' ? ' test network' : ' private test network';
  return { what: crypto, where: `${network.chainName}${standard}${kind === '' ? ' network' : kind}` };
}

/** "3 of 6": the deepest count that all payments which count have reached, never above what is asked for. */
export function confirmationsOf({ payments, confirmationsRequired }: PublicTransaction): number {
  const counts = payments.filter(({ status }) => status !== 'replaced').map(({ confirmations }) => confirmations);
  return counts.length === 0 ? 0 : Math.min(confirmationsRequired, ...counts);
}

/** A fiat amount with at least the two decimals people expect: 25 is 25.00. */
export function fiatAmount(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
