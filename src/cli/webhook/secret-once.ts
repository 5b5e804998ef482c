import type { EndpointWithSecret } from '../../webhooks/index.ts';

/** A secret, which is shown only once. */
export interface HandedOutSecret {
  readonly endpoint_id: string;
  readonly url: string;
  readonly secret: string;
}

export function secretOf({ endpoint, secret }: EndpointWithSecret): HandedOutSecret {
  return { endpoint_id: endpoint.id, url: endpoint.url, secret };
}

/** The secret itself when it is not written to a file; it cannot be shown again. */
export function secretText(out: string | null, { secret }: HandedOutSecret): string {
  return out === null ? `${secret}\nIt is not shown again.` : `Secret written to ${out} (only you can read it).`;
}

/** The same as JSON. */
export function secretJson(out: string | null, issued: HandedOutSecret) {
  return out === null ? issued : { endpoint_id: issued.endpoint_id, url: issued.url, out };
}
