import { systemClock } from '../../platform/clock.ts';
import { type Config, publicUrlOf } from '../../platform/config/index.ts';
import type { KindRegistry } from '../../platform/engine/index.ts';
import { loadSecretKey } from '../../platform/secrets/index.ts';
import { createTokens } from '../../recurring/index.ts';
import { createKinds } from '../../service/kinds.ts';

/** The kinds of actor of this version, as the service builds them with these settings. */
export async function kindsOf(config: Config): Promise<KindRegistry> {
  const tokens = createTokens(await loadSecretKey(config));
  return createKinds({ config, clock: systemClock, publicUrl: publicUrlOf(config, config.port), tokens });
}
