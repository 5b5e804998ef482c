import { expect, test } from 'vitest';
import { attempt } from '../../../src/platform/bus/attempt.ts';
import type { ReceivedMessage } from '../../../src/platform/bus/index.ts';
import { createLogger } from '../../../src/platform/log.ts';

const MESSAGE: ReceivedMessage = { queue: 'mails', partition: 3, id: 'mail_1', data: {}, attempt: 1 };

/** The log lines of a handler that throws `error`, when dead letters cannot be stored. */
async function linesAbout(error: unknown, failures = 0): Promise<{ lines: Record<string, unknown>[]; text: string }> {
  const written: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => void written.push(line) } });
  const deadLetter = () => Promise.reject(new Error('no room for sk_live_ABCDEFGH'));
  const handle = () => Promise.reject(error);
  await attempt({ log, deadLetter }, MESSAGE, handle, failures);
  return { lines: written.map((line) => JSON.parse(line) as Record<string, unknown>), text: written.join('') };
}

test('an unexpected handler error is logged with its stack and causes, and without secrets', async () => {
  const cause = new Error('connect postgres://quittance:hunter2@db:5432/pay');
  const { lines, text } = await linesAbout(new TypeError('cannot mail jo@shop.example', { cause }));
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'a handler failed unexpectedly',
      queue: 'mails',
      partition: 3,
      id: 'mail_1',
      attempt: 1,
      failures: 1,
      err: expect.objectContaining({
        type: 'TypeError',
        message: expect.stringContaining('cannot mail [redacted]'),
        stack: expect.stringMatching(/^TypeError: cannot mail .*\n\s+at [\s\S]*caused by: Error: connect postgres:/),
      }),
    }),
  ]);
  for (const secret of ['hunter2', 'jo@']) expect(text).not.toContain(secret);
});

test('the error of a dead letter that could not be stored is logged too', async () => {
  const { lines, text } = await linesAbout(new Error('again'), 1_000);
  expect(lines.at(-1)).toMatchObject({
    msg: 'a dead letter could not be stored; its message is redelivered',
    err: { type: 'Error', message: 'no room for sk_live_[redacted]', stack: expect.stringContaining('attempt.test') },
  });
  expect(text).not.toContain('ABCDEFGH');
});
