import { DELIVERY_HORIZON_MS, type UnixMs } from '../../../machines/index.ts';
import { type Block, type EmailContent, paragraph } from '../../mail/index.ts';
import { isoTime } from '../../platform/iso-time.ts';
import type { EndpointBacklog, FailureDetails } from './evidence.ts';

/** Texts of all notices about the health of an endpoint. */

type Text = Pick<EmailContent, 'subject' | 'blocks'>;

export interface FailingEmailInput {
  /** Host and port of the URL; the rest may contain a token. */
  readonly host: string;
  readonly endpointId: string;
  readonly since: UnixMs;
  readonly lastFailure: FailureDetails | null;
  readonly backlog: EndpointBacklog;
  /** When it will be disabled; null if it will not. */
  readonly disablesAt: UnixMs | null;
}

export interface RecoveredEmailInput extends Pick<FailingEmailInput, 'host' | 'endpointId' | 'since' | 'backlog'> {
  readonly lastSuccessAt: UnixMs;
}

export function failingEmail(input: FailingEmailInput): Text {
  const { host, since, disablesAt } = input;
  const end: Block[] =
    disablesAt === null
      ? []
      : [
          paragraph(
            `If it accepts no event before ${moment(disablesAt)}, it will be disabled automatically, as set in its settings. It then receives no events until you enable it again.`,
          ),
        ];
  return {
    subject: `Webhooks to ${host} are failing`,
    blocks: [
      paragraph(`Your webhook endpoint at ${host} has not accepted an event since ${moment(since)}.`),
      { kind: 'details', details: failingLines(input) },
      paragraph(adviceOn(input.lastFailure)),
      paragraph(sentAgain(input)),
      ...end,
    ],
  };
}

/** Why the service disabled an endpoint: days of failures, or a response 410 Gone. */
export type DisabledBecause = 'failing' | 'gone';

export function disabledEmail(input: FailingEmailInput, because: DisabledBecause): Text {
  return {
    subject: `Webhooks to ${input.host} were disabled`,
    blocks: [
      paragraph(`${reasonOf(input, because)} Payments are not affected; only this endpoint receives no events.`),
      { kind: 'details', details: failingLines(input) },
      paragraph(because === 'gone' ? ADVICE_ON_GONE : adviceOn(input.lastFailure)),
      paragraph(
        `Then enable it again and send a test event. Missed events are not lost: ${replay(input)}, or read the ` +
          'transactions through the API.',
      ),
    ],
  };
}

export function recoveredEmail(input: RecoveredEmailInput): Text {
  const { host, endpointId, since, lastSuccessAt, backlog } = input;
  return {
    subject: `Webhooks to ${host} work again`,
    blocks: [
      paragraph(`Your webhook endpoint at ${host} accepts events again. It had been failing since ${moment(since)}.`),
      {
        kind: 'details',
        details: [
          ['Endpoint', endpointId],
          ['Last success', moment(lastSuccessAt)],
          ['Events being sent', String(backlog.waiting)],
          ['Events abandoned', String(backlog.givenUp)],
        ],
      },
      paragraph(
        backlog.givenUp === 0
          ? 'No action is needed: pending events are sent automatically.'
          : `Abandoned events are not sent automatically: ${replay(input)}.`,
      ),
    ],
  };
}

// Helpers

function reasonOf({ host, since }: FailingEmailInput, because: DisabledBecause): string {
  return because === 'gone'
    ? `Your webhook endpoint at ${host} responded with 410 Gone. Its settings disable it on this response, so it is now disabled.`
    : `Your webhook endpoint at ${host} has not accepted an event since ${moment(since)}. Its settings disable it when it keeps failing, so it is now disabled.`;
}

const ADVICE_ON_GONE =
  'HTTP 410 means the endpoint no longer exists. If that is correct, delete the endpoint or change its URL. If not, fix your server.';

function sentAgain(input: FailingEmailInput): string {
  return (
    'Pending events are sent automatically as soon as it responds with 2xx. Each is retried for 24 hours; an abandoned event ' +
    `is not lost: ${replay(input)}.`
  );
}

/**
 * How to replay everything, as in docs/merchants/webhooks.md. An event that fails now may have been
 * raised up to a day earlier; a replay skips what was delivered.
 */
function replay({ endpointId, since }: Pick<FailingEmailInput, 'endpointId' | 'since'>): string {
  const body = JSON.stringify({ since: isoTime(since - DELIVERY_HORIZON_MS) });
  return `replay the endpoint with POST /v1/webhooks/endpoints/${endpointId}/replay and ${body}`;
}

/** The usual remedy, by kind of failure. */
const ADVICE: Readonly<Record<string, string>> = {
  status:
    'Your server responds with an error. Check its log for the cause. Respond with 2xx as soon as the event is stored, and process it afterwards.',
  redirect:
    'Your server responds with a redirect, which webhooks do not follow. Set the URL of the endpoint to the final address.',
  timeout:
    'Your server takes too long. Respond within 10 seconds, as soon as the event is stored, and process it afterwards.',
  connection: 'Your server refuses or drops the connection. Check that it is running and that no firewall blocks it.',
  tls: 'The TLS connection fails. Usually the certificate has expired, names another host, or is sent without its intermediate certificates.',
  dns: 'The host name does not resolve. Check whether the domain has expired or its DNS record was removed.',
  blocked:
    'The URL resolves to an address that webhooks may not be sent to, like one in a private network. Set a URL that is reachable from the internet.',
};

function adviceOn(failure: FailureDetails | null): string {
  return ADVICE[failure?.kind ?? ''] ?? 'Check that your server is running and reachable from the internet.';
}

function failingLines({
  endpointId,
  since,
  lastFailure,
  backlog,
}: FailingEmailInput): readonly (readonly [string, string])[] {
  return [
    ['Endpoint', endpointId],
    ['Failing since', moment(since)],
    ...(lastFailure === null
      ? []
      : ([['Last failure', `${lastFailure.kind}: ${lastFailure.detail} (${moment(lastFailure.at)})`]] as const)),
    ['Events pending', String(backlog.waiting)],
    ['Events abandoned', String(backlog.givenUp)],
  ];
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Like `21 November 2026 at 10:12 UTC`. */
function moment(at: UnixMs): string {
  return `${MOMENT.format(at)} UTC`;
}
