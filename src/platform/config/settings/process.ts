import { LOG_LEVELS } from '../../log.ts';
import { ROLES } from '../config.ts';
import * as read from '../parsers.ts';
import { secret, setting } from './setting.ts';

/** Roles, logging, tracing and shutdown of one process. */
export const PROCESS_SETTINGS = {
  logLevel: setting('LOG_LEVEL', 'info', `Minimum severity to log: ${LOG_LEVELS.join(', ')}.`, read.oneOf(LOG_LEVELS)),
  tracesUrl: secret(
    'TRACES_URL',
    '(none: nothing is traced)',
    'OTLP/HTTP endpoint for OpenTelemetry traces, such as http://127.0.0.1:4318/v1/traces.',
    read.url(['http:', 'https:'], 'http://127.0.0.1:4318/v1/traces'),
  ),
  tracesSample: setting(
    'TRACES_SAMPLE',
    '1',
    'Share of traces that are recorded, from 0 (none) to 1 (all).',
    read.share,
  ),
  roles: setting('ROLES', ROLES.join(','), 'What this process does, comma-separated.', read.someOf(ROLES)),
  drainDelaySeconds: setting(
    'DRAIN_DELAY_SECONDS',
    '0',
    'Seconds for which a stopping process keeps serving requests while `GET /ready` returns 503, so that load balancers notice: 0 to 15.',
    read.wholeNumber(0, 15),
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    '(none)',
    'Address blocks of reverse proxies whose X-Forwarded-For is trusted.',
    read.cidrs({ allowAny: false }),
  ),
} as const;
