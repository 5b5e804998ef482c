import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_DSN_BYTES, readDsn } from '../../src/mail/bounce-report.ts';
import { TerminalError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { exchangeReport, eximReport, postfixReport, type ReportOptions } from './reports.ts';

const messageId = `<${newId('eml')}@shop.example>`;

const SHAPES: readonly (readonly [string, (options: ReportOptions) => string, string])[] = [
  ['Postfix', postfixReport, '5.1.1'],
  ['Postfix, with headers only', (options) => postfixReport({ ...options, returns: 'text/rfc822-headers' }), '5.1.1'],
  ['Exim', eximReport, '5.1.1'],
  ['Exchange', exchangeReport, '5.1.10'],
];

describe('readDsn', () => {
  test.each(SHAPES)(
    'finds the bounced mail in a report of %s, with either line ending',
    async (_name, write, status) => {
      const report = write({ messageId });
      expect(await read(report)).toEqual([{ messageId, status }]);
      expect(await read(report.replaceAll('\n', '\r\n'))).toEqual([{ messageId, status }]);
    },
  );

  test.each(SHAPES)(
    'reports no bounce for a delay, a success or an email of %s that was returned for its content',
    async (_name, write) => {
      const harmless: readonly Partial<ReportOptions>[] = [
        { action: 'delayed', status: '4.2.2', diagnostic: 'smtp; 452 4.2.2 full' },
        { action: 'delivered', status: '2.1.5', diagnostic: 'smtp; 250 2.1.5 ok' },
        { action: 'relayed', status: '2.0.0', diagnostic: 'smtp; 250 ok' },
        { status: '4.4.7', diagnostic: 'smtp; 451 4.4.7 given up' },
        { status: '5.7.1', diagnostic: 'smtp; 550 5.7.1 relaying denied' },
        { status: '5.0.0', diagnostic: 'smtp; 550 5.7.26 not authenticated' },
        { status: '5.6.0', diagnostic: 'smtp; 554 5.6.0 bad content' },
        { status: '5.3.4', diagnostic: 'smtp; 552 5.3.4 too big' },
        { status: 'unknown', diagnostic: 'smtp; 550 5.1.1 no' },
      ];
      for (const options of harmless) expect(await read(write({ messageId, ...options }))).toEqual([]);
    },
  );

  test('reports a bounce for a failure without details, and for a full mailbox that is permanent', async () => {
    const plain = eximReport({ messageId, diagnostic: 'smtp; 550 no such user' });
    expect(await read(plain)).toEqual([{ messageId, status: '5.0.0' }]);
    const full = postfixReport({ messageId, status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 over quota' });
    expect(await read(full)).toEqual([{ messageId, status: '5.2.2' }]);
  });

  test('separates the recipients of a report', async () => {
    const second =
      'Final-Recipient: rfc822; other@customer.example\nAction: failed\nStatus: 5.1.10\n\nFinal-Recipient: rfc822; third@customer.example\nAction: relayed\nStatus: 2.0.0\n\n--4c';
    const report = postfixReport({ messageId }).replace(
      '\n--4cXk2t5sWLz8.1795255202/mx.shop.example\nContent-Description: Und',
      (end) => end.replace('--4c', second),
    );
    expect(await read(report)).toEqual([
      { messageId, status: '5.1.1' },
      { messageId, status: '5.1.10' },
    ]);
  });

  test.each<[string, string, RegExp]>([
    ['an ordinary mail', 'From: a@b.example\nSubject: Hi\nMessage-ID: <x@y.example>\n\nHello', /not a delivery status/],
    ['nothing', '', /not a delivery status/],
    ['JSON', '{"bounces":[]}', /not a delivery status/],
    [
      'a report of something else',
      postfixReport({ messageId }).replace('delivery-status;', 'disposition-notification;'),
      /not a delivery status/,
    ],
    [
      'a report without its machine-readable part',
      postfixReport({ messageId }).replace('message/delivery-status', 'text/plain'),
      /message\/delivery-status/,
    ],
    [
      'a report that returns nothing',
      postfixReport({ messageId }).replace('message/rfc822', 'text/plain'),
      /neither the returned email/,
    ],
    [
      'a report on an email without Message-ID',
      eximReport({ messageId }).replace('Message-ID:\n', 'X-Other:\n'),
      /without Message-ID/,
    ],
    ['a megabyte and more', `${postfixReport({ messageId })}${'x'.repeat(MAX_DSN_BYTES)}`, /larger than 1 MB/],
    ['lines without end', `${postfixReport({ messageId })}${'\n'.repeat(20_000)}`, /more than 20000 lines/],
    [
      'headers without end',
      `Content-Type: multipart/report\n${`X-Filler: ${'y'.repeat(90)}\n`.repeat(9_000)}\n`,
      /too many headers/,
    ],
    ['boxes in boxes', nested(400), /nested too deeply/],
  ])('rejects %s, with the reason', async (_name, raw, problem) => {
    const failure = await read(raw).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TerminalError);
    expect(failure).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringMatching(problem) });
  });

  test('reads the Message-ID from the returned headers, not from the mail or the report', async () => {
    const report = eximReport({ messageId }).replace('Message-ID:\n', 'Message-ID: <outer@shop.example>\nX-Second:\n');
    expect(await read(report)).toEqual([{ messageId: '<outer@shop.example>', status: '5.1.1' }]);
  });

  test('survives truncated, corrupted or concatenated reports', async () => {
    const reports = SHAPES.map(([, write]) => write({ messageId }));
    const report = fc.constantFrom(...reports);
    const garbled = fc.record({ report, at: fc.nat(3_000), other: fc.oneof(report, fc.string()), skip: fc.nat(400) });
    await assertAsyncProperty(
      fc.asyncProperty(garbled, async ({ report, at, other, skip }) => {
        const raw = `${report.slice(0, at)}${other.slice(skip)}${report.slice(at + skip)}`;
        const found = await read(raw).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
          return [];
        });
        for (const { status } of found) expect(status).toMatch(/^5\.\d+\.\d+$/);
      }),
    );
  });
});

// Helpers

function read(raw: string) {
  return readDsn(new TextEncoder().encode(raw));
}

function nested(depth: number): string {
  const opened = Array.from(
    { length: depth },
    (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`,
  );
  return `Content-Type: multipart/report; report-type=delivery-status; boundary=top\n\n--top\n${opened.join('')}`;
}
