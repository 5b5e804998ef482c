import { DELIVERY_HORIZON_MS, type UnixMs } from '../../../machines/index.ts';
import { type Block, type MailContent, paragraph } from '../../mail/index.ts';
import { isoTime } from '../../platform/iso-time.ts';
import type { Backlog, FailureDetails } from './evidence.ts';

/** Texts of all notices about the health of an endpoint. */

type Text = Pick<MailContent, 'subject' | 'blocks'>;

export interface FailingMailInput {
  /** Host and port of the URL; the rest may contain a token. */
  readonly host: string;
  readonly endpointId: string;
  readonly since: UnixMs;
  readonly lastFailure: FailureDetails | null;
  readonly backlog: Backlog;
  /** When it will be disabled; null if it will not. */
  readonly disablesAt: UnixMs | null;
}

export interface RecoveredMailInput extends Pick<FailingMailInput, 'host' | 'endpointId' | 'since' | 'backlog'> {
  readonly lastSuccessAt: UnixMs;
}

export function failingMail(input: FailingMailInput): Text {
  const { host, since, disablesAt } = input;
  const end: Block[] =
    disablesAt === null
      ? []
      : [
          paragraph(
            `Unless it takes an event before ${moment(disablesAt)}, it is disabled then, because it is set to disable itself. It would get no more events until you enable it again.`,
          ),
        ];
  return {
    subject: `Webhooks to ${host} are failing`,
    blocks: [
      paragraph(`your webhook endpoint at ${host} has not taken an event since ${moment(since)}.`),
      { kind: 'details', details: failingLines(input) },
      paragraph(adviceOn(input.lastFailure)),
      paragraph(sentAgain(input)),
      ...end,
    ],
  };
}

/** Why the service disabled an endpoint: days of failures, or an answer 410 Gone. */
export type DisabledBecause = 'failing' | 'gone';

export function disabledMail(input: FailingMailInput, because: DisabledBecause): Text {
  return {
    subject: `Webhooks to ${input.host} were disabled`,
    blocks: [
      paragraph(`${reasonOf(input, because)} Payments go on as before; only this endpoint does not receive them.`),
      { kind: 'details', details: failingLines(input) },
      paragraph(because === 'gone' ? ADVICE_ON_GONE : adviceOn(input.lastFailure)),
      paragraph(
        `Then enable it again and send a test event. What it has missed is not lost: ${replay(input)}, or read the ` +
          'transactions over the API.',
      ),
    ],
  };
}

export function recoveredMail(input: RecoveredMailInput): Text {
  const { host, endpointId, since, lastSuccessAt, backlog } = input;
  return {
    subject: `Webhooks to ${host} work again`,
    blocks: [
      paragraph(`your webhook endpoint at ${host} takes events again. It had failed since ${moment(since)}.`),
      {
        kind: 'details',
        details: [
          ['Endpoint', endpointId],
          ['Last success', moment(lastSuccessAt)],
          ['Events still on their way', String(backlog.waiting)],
          ['Events that were given up', String(backlog.givenUp)],
        ],
      },
      paragraph(
        backlog.givenUp === 0
          ? 'You need not do anything: what is on its way is sent by itself.'
          : `Events that were given up are not sent by themselves: ${replay(input)}.`,
      ),
    ],
  };
}

// Helpers

function reasonOf({ host, since }: FailingMailInput, because: DisabledBecause): string {
  return because === 'gone'
    ? `your webhook endpoint at ${host} answered 410 Gone. It is set to be disabled by this response, so it was disabled now.`
    : `your webhook endpoint at ${host} has not taken an event since ${moment(since)}. It is set to disable itself, so it was disabled now.`;
}

const ADVICE_ON_GONE =
  'By 410 your server says that nothing is at this address any more. If that is right, delete the endpoint or set its URL to the new address. If not, correct your server.';

function sentAgain(input: FailingMailInput): string {
  return (
    'As soon as it answers 2xx, the events that wait are sent by themselves. Each is tried for 24 hours; what was given up by then ' +
    `is not lost: ${replay(input)}.`
  );
}

/**
 * How to replay everything, as in docs/merchants/webhooks.md. An event that fails now may have been
 * raised up to a day earlier; a replay skips what was delivered.
 */
function replay({ endpointId, since }: Pick<FailingMailInput, 'endpointId' | 'since'>): string {
  const body = JSON.stringify({ since: isoTime(since - DELIVERY_HORIZON_MS) });
  return `replay the endpoint with POST /v1/webhooks/endpoints/${endpointId}/replay and ${body}`;
}

/** The usual remedy, by kind of failure. */
const ADVICE: Readonly<Record<string, string>> = {
  status:
    'Your server answers, but with an error. Its own log of that moment should tell why. Answer 2xx as soon as the event is stored, and work on it afterwards.',
  redirect:
    'Your server answers with a redirect, and webhooks follow none. Set the URL of the endpoint to the final one.',
  timeout:
    'Your server takes too long. Answer within 10 seconds, as soon as the event is stored, and work on it afterwards.',
  connection:
    'Your server does not accept the connection, or breaks it off. See whether it runs, and whether a firewall is in between.',
  tls: 'No encrypted connection can be made. Usually the certificate has run out, names another host, or is sent without its intermediate certificates.',
  dns: 'The host name has no address. See whether the domain has run out or its DNS record was removed.',
  blocked:
    'The URL leads to an address that webhooks may not be sent to, like one of a private network. Set a URL that is reached from the internet.',
};

function adviceOn(failure: FailureDetails | null): string {
  return ADVICE[failure?.kind ?? ''] ?? 'See whether your server runs and can be reached from the internet.';
}

function failingLines({
  endpointId,
  since,
  lastFailure,
  backlog,
}: FailingMailInput): readonly (readonly [string, string])[] {
  return [
    ['Endpoint', endpointId],
    ['Failing since', moment(since)],
    ...(lastFailure === null
      ? []
      : ([['Last failure', `${lastFailure.kind}: ${lastFailure.detail} (${moment(lastFailure.at)})`]] as const)),
    ['Events that wait', String(backlog.waiting)],
    ['Events that were given up', String(backlog.givenUp)],
  ];
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Like `21 November 2026 at 10:12 UTC`. */
function moment(at: UnixMs): string {
  return `${MOMENT.format(at)} UTC`;
}
