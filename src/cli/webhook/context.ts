import type { Config } from '../../platform/config/index.ts';
import { createSecretBox, loadSecretKey, type SecretBox } from '../../platform/secrets/index.ts';
import type { EndpointTerms } from '../../webhooks/index.ts';

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

// Helpers

/** Event types from the command line; null for the default. */
function eventsOf(text: string): readonly string[] | null {
  return text === 'default' ? null : partsOf(text);
}

function partsOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}
