import { Gauge, Histogram, type Registry } from 'prom-client';
import type { RequestObserver } from '../../api/index.ts';

/** Requests to the API, the payment pages and the console. */
export function httpInstruments(registry: Registry): RequestObserver {
  const inFlight = new Gauge({
    name: 'quittance_http_requests_in_flight',
    help: 'Requests that are being answered; pages that follow something live are among them.',
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'quittance_http_request_duration_seconds',
    help: 'Answered requests by method, pattern of the route, and class of the status; cut_off: the client went away.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    began() {
      inFlight.inc();
      return ({ method, route, status, isCutOff, durationMs }) => {
        inFlight.dec();
        const shown = isCutOff ? 'cut_off' : `${Math.floor(status / 100)}xx`;
        durations.observe({ method, route: route ?? 'none', status: shown }, durationMs / 1_000);
      };
    },
  };
}
