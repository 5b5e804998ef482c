/**
 * Exits 0 while the process of this container responds, else 1. For HEALTHCHECK in the Dockerfile,
 * regardless of roles: requests `/live` on MONITOR_PORT, or else on the port of the API. A process
 * with neither port counts as healthy while it runs.
 */
const ANSWER_WITHIN_MS = 4_000;

const url = doorOf(process.env);
if (url !== null) {
  const answer = await fetch(`${url}/live`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => null);
  if (answer?.ok !== true) process.exitCode = 1;
}

// Helpers

/** As src/platform/config reads them: an empty value counts as unset. */
function doorOf(env) {
  const port = env.MONITOR_PORT || 'none';
  if (port !== 'none') return `http://${reachable(env.MONITOR_HOST)}:${port}`;
  const roles = (env.ROLES || 'api').split(',').map((role) => role.trim());
  return roles.includes('api') ? `http://${reachable(env.HOST)}:${env.PORT || '8080'}` : null;
}

/** A server that listens on all addresses is requested on loopback. */
function reachable(host) {
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? (host || '127.0.0.1');
  return address.includes(':') ? `[${address}]` : address;
}
