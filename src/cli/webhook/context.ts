import type { Config } from '../../platform/config/index.ts';
import { createSecretBox, loadSecretKey, type SecretBox } from '../../platform/secrets/index.ts';
import type { EndpointTerms, EndpointWithSecret } from '../../webhooks/index.ts';

/** The settings that validating and storing endpoints needs. */
export async function endpointTermsOf(config: Config): Promise<EndpointTerms & { readonly secretBox: SecretBox }> {
  const secretBox = createSecretBox(await loadSecretKey(config), config.secretsKeyPrevious);
  return { secretBox, urls: config.webhooks, plansEnabled: config.plansEnabled };
}

/** The changes that the options ask for, without those that were not given. */
export function changesOf(options: {
  readonly events: string | null;
  readonly modes: string | null;
  readonly description: string | null;
  readonly 'disables-itself': 'on' | 'off' | null;
  readonly 'disables-on-gone': 'on' | 'off' | null;
  readonly 'max-per-second': number | null;
}) {
  const { events, modes, description } = options;
  const { 'disables-itself': disablesItself, 'disables-on-gone': disablesOnGone, 'max-per-second': most } = options;
  return {
    ...(events === null ? {} : { events: eventsOf(events) }),
    ...(modes === null ? {} : { modes: partsOf(modes) }),
    ...(description === null ? {} : { description }),
    ...(disablesItself === null ? {} : { disablesItself: disablesItself === 'on' }),
    ...(disablesOnGone === null ? {} : { disablesOnGone: disablesOnGone === 'on' }),
    ...(most === null ? {} : { maxPerSecond: most === 0 ? null : most }),
  };
}

/** A secret, which is shown only once. */
interface IssuedSecret {
  readonly endpoint_id: string;
  readonly url: string;
  readonly secret: string;
}

export function secretOf({ endpoint, secret }: EndpointWithSecret): IssuedSecret {
  return { endpoint_id: endpoint.id, url: endpoint.url, secret };
}

/** The secret itself when it is not written to a file; it cannot be shown again. */
export function secretText(out: string | null, { secret }: IssuedSecret): string {
  return out === null ? `${secret}\nIt is not shown again.` : `Secret written to ${out} (only you can read it).`;
}

export function secretJson(out: string | null, issued: IssuedSecret) {
  return out === null ? issued : { endpoint_id: issued.endpoint_id, url: issued.url, out };
}

// Helpers

/** Event types from the command line; null for the default. */
function eventsOf(text: string): readonly string[] | null {
  return text === 'default' ? null : partsOf(text);
}

function partsOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}
