import { createMailWorker, createSmtpTransport } from '../../../src/mail/index.ts';
import { connect } from '../../../src/platform/db/index.ts';
import { createTestClock } from '../clock.ts';
import { mailConfig } from '../outside/smtp.ts';
import { silentLog } from '../silent-log.ts';

/**
 * A process for tests that kill it: sends emails. Its one argument is an object as JSON. It never
 * exits on its own.
 */
const { databaseUrl, port } = JSON.parse(process.argv[2] ?? '{}') as { databaseUrl: string; port: number };
const { db } = await connect({ url: databaseUrl, dataDir: null, poolSize: 2 });
const transport = createSmtpTransport(mailConfig(port));
createMailWorker({ db, transport, clock: createTestClock(), log: silentLog, pollEveryMs: 10 }).start();
