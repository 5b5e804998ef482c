import { createLogger, type Log } from '../../src/platform/log.ts';

export const silentLog: Log = createLogger({ level: 'silent' });
