import type { CryptoSymbol } from '../../../machines/index.ts';
import { assertNever } from '../../errors.ts';
import type { PeriodForCustomer } from '../../recurring/index.ts';
import { type Html, html } from '../html.ts';
import { fact } from '../pages/parts.ts';
import type { Words } from '../words.ts';
import { SIGN, type Sign, schedulePage } from './parts.ts';
import { type PayScreen, payScreenOf } from './pay-screen.ts';
import { WORDS } from './words.ts';

/** Behind the stable link of one period: the way to a payment for it, and to the one that was made. */
export function payPage(period: PeriodForCustomer): string {
  const { schedule } = period;
  const screen = payScreenOf(period);
  const { sign, words, action } = show(screen, period);
  return schedulePage({ schedule, sign, words, body: [facts(period), ...(action === null ? [] : [action])] });
}

/** The page of a payment, from the page of its period. */
export function paymentPath(transactionId: string): string {
  return `../../transaction/${encodeURIComponent(transactionId)}`;
}

// Helpers

interface Shown {
  readonly sign: Sign;
  readonly words: Words;
  readonly action: Html | null;
}

function show(screen: PayScreen, { schedule }: PeriodForCustomer): Shown {
  const { pay, problems } = WORDS;
  const amount = WORDS.money(schedule.amountFiat, schedule.currencyFiat);
  switch (screen.kind) {
    case 'paid':
      return { sign: SIGN.done, words: pay.paid, action: linkTo(screen.transactionId, pay.receipt) };
    case 'underWay':
      return { sign: SIGN.underWay, words: pay.underWay, action: linkTo(screen.transactionId, pay.look) };
    case 'open':
      return {
        sign: SIGN.ask,
        words: pay.open(amount),
        action: html`${linkTo(screen.transactionId, pay.goOn)}${another(screen.cryptos)}`,
      };
    case 'choose':
      return {
        sign: screen.isLate ? SIGN.late : SIGN.ask,
        words: screen.isLate ? pay.late(amount) : pay.due(amount),
        action: coinForm(screen.cryptos),
      };
    case 'over': {
      const { heading } = WORDS.standing(screen.status, schedule.isFinished);
      return { sign: SIGN.over, words: { heading, sentences: [pay.nothingToPay] }, action: null };
    }
    case 'unavailable':
      return { sign: SIGN.alert, words: problems.shopCannot, action: null };
    default:
      return assertNever(screen, 'screen of a period');
  }
}

function facts({ schedule, periodNo, status, dueAt }: PeriodForCustomer): Html {
  const { facts: names } = WORDS;
  const { description, amountFiat, currencyFiat, interval, maxPeriods } = schedule;
  return html`<dl class="facts terms">
${fact(names.description, html`<bdi>${description}</bdi>`)}
${fact(names.amount, html`${WORDS.money(amountFiat, currencyFiat)}`)}
${fact(names.period, html`${WORDS.periodOf(periodNo, maxPeriods)}`)}
${fact(status === 'awaited' ? names.due : names.wasDue, html`${WORDS.date(dueAt)}`)}
${fact(names.often, html`${WORDS.often(interval)}`)}
</dl>`;
}

/** Folded away, because it is seldom wanted. Where there is one coin there is no other. */
function another(cryptos: readonly CryptoSymbol[]): Html | null {
  if (cryptos.length < 2) return null;
  return html`<details id="another"><summary id="another-summary">${WORDS.pay.another}</summary>${coinForm(cryptos)}</details>`;
}

/** With one coin its button is all there is; among several one is chosen first, because an open payment keeps its coin. */
function coinForm(cryptos: readonly CryptoSymbol[]): Html {
  const { choose, fixed, goToPay, payWith, coin } = WORDS.pay;
  const [only, ...others] = cryptos;
  if (only !== undefined && others.length === 0) {
    return html`<form method="post"><button class="button" id="pay" name="crypto" value="${only}">${payWith(only)}</button>
<p class="hint">${fixed}</p></form>`;
  }
  const choices = cryptos.map((crypto) => {
    const { name, detail } = coin(crypto);
    return html`<label><input type="radio" name="crypto" value="${crypto}" required><span><b>${name}</b> <small>${detail}</small></span></label>
`;
  });
  return html`<form method="post"><fieldset class="choices"><legend>${choose}</legend>
${choices}</fieldset><button class="button" id="pay">${goToPay}</button>
<p class="hint">${fixed}</p></form>`;
}

function linkTo(transactionId: string | null, label: string): Html | null {
  if (transactionId === null) return null;
  return html`<p class="back"><a class="button" id="go" href="${paymentPath(transactionId)}">${label}</a></p>`;
}
