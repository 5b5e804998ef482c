import { describe, expect, test } from 'vitest';
import { type Check, ok, problem, warning } from '../../../src/cli/doctor/check.ts';
import { cleaned, reportText } from '../../../src/cli/doctor/doctor.ts';
import { secretTextsOf } from '../../../src/platform/config/index.ts';
import { look } from './installation.ts';

const WELL: Check = { name: 'well', run: async () => ok('it works') };

describe('checks', () => {
  test('are independent: one that hangs, throws or does not apply blocks no other', async () => {
    let hasAborted = false;
    const hanging: Check = {
      name: 'hanging',
      run: ({ signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            hasAborted = true;
          });
        }),
    };
    const broken: Check = { name: 'broken', run: () => Promise.reject(new Error('no such luck')) };
    const absent: Check = { name: 'absent', run: async () => null };
    const several: Check = { name: 'several', run: async () => [ok('one'), warning('two', 'do it')] };
    expect(await look([hanging, broken, absent, several, WELL], {}, { timeoutMs: 50 })).toEqual([
      'problem hanging: no response within 0.05 s',
      'problem broken: could not be checked: no such luck',
      'ok several: one',
      'warning several: two',
      'ok well: it works',
    ]);
    expect(hasAborted).toBe(true);
  });
});

describe('the report', () => {
  test('states the remedy under each line, and a summary at the end', () => {
    const found = [
      { check: 'disk', ...ok('much') },
      { check: 'clock', ...problem('it stands still', 'Wind it up.') },
    ];
    expect(reportText(found)).toBe(
      [
        'ok       disk   much',
        'problem  clock  it stands still',
        '                → Wind it up.',
        '',
        '1 problem, 0 warnings, 1 ok.',
      ].join('\n'),
    );
    expect(reportText(found.slice(0, 1))).toMatch(/All checks passed \(1\)\.$/);
  });

  test('contains no secret setting, whatever a check repeats', () => {
    const secrets = secretTextsOf({
      DATABASE_URL: 'postgres://quittance:p%40ss%3Aword@db.example:5432/pay',
      ETH_RPC_URL: 'https://eth.example/v3/0123456789abcdef0123?token=abcdefgh',
      NATS_URL: 'nats://t0ken-of-nats@bus.example',
      OPERATOR_TOKEN: 'o'.repeat(40),
      PUBLIC_URL: 'https://pay.example',
    });
    const reported = [
      'password authentication failed: p@ss:word, p%40ss%3Aword',
      'GET https://eth.example/v3/0123456789abcdef0123 failed; ?token=abcdefgh',
      `nats t0ken-of-nats, operator ${'o'.repeat(40)}, at pay.example and db.example`,
    ];
    const shown = cleaned(
      reported.map((text) => ({ check: 'any', ...ok(text) })),
      secrets,
    ).map(({ text }) => text);
    expect(shown.join('\n')).not.toMatch(/p@ss|p%40ss|0123456789abcdef|abcdefgh|t0ken|oooo/);
    // Everything else stays, so that the message remains clear.
    expect(shown.join('\n')).toMatch(/eth\.example.*\n.*at pay\.example and db\.example/);
  });
});
