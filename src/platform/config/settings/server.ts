import * as read from '../parsers.ts';
import { setting } from './setting.ts';

/** Where the service listens and stores its files. */
export const SERVER_SETTINGS = {
  port: setting('PORT', '8080', 'TCP port of the HTTP server; 0 selects a free one.', read.wholeNumber(0, 65_535)),
  host: setting('HOST', '127.0.0.1', 'Address the HTTP server listens on; 0.0.0.0 for all.', read.hostName),
  publicUrl: setting(
    'PUBLIC_URL',
    '(http://HOST:PORT)',
    'URL where customers and merchants reach this service; payment links begin with it.',
    read.baseUrl,
  ),
  dataDir: setting('DATA_DIR', './data', 'Folder of the embedded database and the key file.', read.path),
  monitorPort: setting(
    'MONITOR_PORT',
    'none',
    'TCP port of /live, /ready and /metrics, for all roles; 0 selects a free one. Do not expose it publicly.',
    portOrNone,
  ),
  monitorHost: setting('MONITOR_HOST', '127.0.0.1', 'Address that MONITOR_PORT listens on.', read.hostName),
} as const;

// Helpers

function portOrNone(text: string): read.Parsed<number | null> {
  if (text === 'none') return read.good(null);
  const parsed = read.wholeNumber(0, 65_535)(text);
  return parsed.ok ? parsed : read.bad('must be none, or a whole number from 0 to 65535');
}
