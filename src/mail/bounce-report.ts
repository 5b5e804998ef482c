import type { Email } from 'postal-mime';
import PostalMime from 'postal-mime';
import { TerminalError } from '../platform/errors.ts';

/** Larger reports are not read; the email they return is one of ours, and ours are small. */
export const MAX_DSN_BYTES = 1024 * 1024;

/**
 * Parses a delivery status notification (RFC 3464, RFC 6522) and returns the status of each
 * recipient that failed permanently, with the Message-ID from the returned email or its headers.
 * Empty for a report of a delay, of a success, or of an email that was rejected for its content.
 * Anyone can send such a report, so parsing is limited. Throws a `TerminalError` `INVALID_REQUEST`
 * for anything else, and for a report that does not identify its email.
 */
export async function readDsn(raw: Uint8Array): Promise<ReportedBounce[]> {
  if (raw.byteLength > MAX_DSN_BYTES) throw rejection('is larger than 1 MB');
  if (linesOf(raw) > MAX_LINES) throw rejection(`has more than ${MAX_LINES} lines`);
  const report = await parse(raw);
  if (!isDeliveryReport(report)) {
    throw rejection(
      'is not a delivery status notification: send the complete message, with Content-Type multipart/report',
    );
  }
  const status = partOf(report, ['message/delivery-status', 'message/global-delivery-status']);
  if (status === null) throw rejection('has no part of type message/delivery-status');
  const final = failedRecipients(status).map(finalStatusOf).filter(saysNoMailbox);
  if (final.length === 0) return [];
  const returned = partOf(report, [
    'message/rfc822',
    'text/rfc822-headers',
    'message/global',
    'message/global-headers',
  ]);
  if (returned === null)
    throw rejection('contains neither the returned email nor its headers; configure the mail server to include them');
  const messageId = await messageIdOf(returned);
  if (messageId === null) throw rejection('is about an email without Message-ID');
  return final.map((each) => ({ messageId, status: each }));
}

/**
 * Whether an enhanced status code (RFC 3463) means that a mailbox permanently accepts no email.
 * Class 5 is permanent. As for recipient replies in `classifySendError`, policy codes (5.7.Z) say
 * nothing about the mailbox. Neither do codes about the message itself: its content (5.6.Z) or its
 * size (5.3.4), which a server may only detect after accepting it.
 */
export function saysNoMailbox(status: string): boolean {
  const [, topic, detail] = STATUS.exec(status) ?? [];
  if (topic === undefined || topic === '6' || topic === '7') return false;
  return !(topic === '3' && detail === '4');
}

/** Report of undeliverable emails, from the operator of the mail server. */
export type BounceReport =
  /** A delivery status notification (RFC 3464), as the complete message from the bounce mailbox. */
  | { readonly kind: 'message'; readonly raw: Uint8Array }
  /** The same from a mail provider's webhook, converted by the operator. */
  | { readonly kind: 'list'; readonly bounces: readonly ReportedBounce[] };

export interface ReportedBounce {
  /** Message-ID of the email that was sent, with or without its angle brackets. */
  readonly messageId: string;
  /** Enhanced status code (RFC 3463), such as `5.1.1`; only codes starting with 5 are permanent. */
  readonly status: string;
}

// Helpers

const BOUNDS = { maxNestingDepth: 10, maxHeadersSize: 256 * 1024, maxRfc822NestingDepth: 0 };

/** Parsing time grows with the number of lines: a megabyte of empty ones would take 20 seconds. */
const MAX_LINES = 20_000;

/** Recipients read per report. Our emails have one. */
const MAX_RECIPIENTS = 100;
const MAX_STATUS_CHARACTERS = 256 * 1024;

function linesOf(raw: Uint8Array): number {
  let lines = 0;
  for (let at = raw.indexOf(LINE_FEED); at !== -1; at = raw.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

const LINE_FEED = 0x0a;

function rejection(problem: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `The report ${problem}.`);
}

async function parse(raw: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(raw, BOUNDS);
  } catch (cause) {
    throw new TerminalError(
      'INVALID_REQUEST',
      'The report cannot be read: it is nested too deeply or has too many headers.',
      {
        cause,
      },
    );
  }
}

function isDeliveryReport({ headers }: Email): boolean {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  return /^multipart\/report\b/i.test(type) && /;\s*report-type\s*=\s*"?(?:global-)?delivery-status\b/i.test(type);
}

/** The text of the first part with one of these types. */
function partOf({ attachments }: Email, types: readonly string[]): string | null {
  const part = attachments.find(({ mimeType }) => types.includes(mimeType.toLowerCase()));
  if (part === undefined) return null;
  return typeof part.content === 'string' ? part.content : new TextDecoder().decode(part.content);
}

/** Fields of one recipient, by lower-case name. */
type Fields = ReadonlyMap<string, string>;

/**
 * Groups of fields are separated by blank lines; the first is about the report, each other one
 * about a recipient.
 */
function failedRecipients(status: string): Fields[] {
  const [, ...recipients] = status
    .slice(0, MAX_STATUS_CHARACTERS)
    .trimStart()
    .split(/\r?\n[ \t]*\r?\n/, MAX_RECIPIENTS + 1);
  return recipients.map(fieldsOf).filter((fields) => /^failed\b/i.test(fields.get('action') ?? ''));
}

function fieldsOf(group: string): Fields {
  const lines = group.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** Some servers, such as Exim, report 5.0.0 and give the precise code only in the quoted reply. */
function finalStatusOf(fields: Fields): string {
  const [status = ''] = /^[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '') ?? [];
  if (status !== '5.0.0') return status;
  const [, quoted] =
    /^smtp;.{0,20}?\b5\d\d[ -]#?(5\.\d{1,3}\.\d{1,3})\b/i.exec(fields.get('diagnostic-code') ?? '') ?? [];
  return quoted ?? status;
}

async function messageIdOf(returned: string): Promise<string | null> {
  const [head = ''] = returned.trimStart().split(/\r?\n\r?\n/, 1);
  const { messageId } = await parse(new TextEncoder().encode(`${head}\r\n\r\n`));
  return messageId ?? null;
}

const STATUS = /^5\.(\d{1,3})\.(\d{1,3})$/;
