import { messageOf } from '../../../platform/errors.ts';
import { type Check, type Examined, ok, problem, warning } from '../check.ts';

/** Where OpenTelemetry traces go. */
export const TRACES_CHECKS: readonly Check[] = [{ name: 'traces', run: traces }];

// Helpers

const RESPONSE_TIMEOUT_MS = 5_000;
const REMEDY =
  'Check TRACES_URL: the OTLP/HTTP endpoint for traces usually ends in :4318/v1/traces. Until then only spans are dropped.';

/**
 * Sends an export without spans: the collector says whether it would accept spans, and stores
 * nothing.
 */
async function traces({ config }: Examined) {
  const { url, sample } = config.traces;
  if (url === null) return [];
  const { username, password, href, host } = new URL(url);
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  try {
    const response = await fetch(withoutLogin(href), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(username === '' ? {} : { authorization: `Basic ${login}` }) },
      body: JSON.stringify({ resourceSpans: [] }),
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.ok)
      return sample === 0
        ? warning(`${host} accepts traces, but TRACES_SAMPLE is 0`, 'Raise TRACES_SAMPLE, or unset TRACES_URL.')
        : ok(`${host} accepts traces`);
    return warning(`${host} responds with ${response.status} to traces`, REMEDY);
  } catch (error) {
    return problem(`${host} does not accept traces: ${reasonOf(error)}`, REMEDY);
  }
}

/** `fetch` rejects URLs with credentials. */
function withoutLogin(href: string): string {
  const url = new URL(href);
  url.username = '';
  url.password = '';
  return url.href;
}

function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}
