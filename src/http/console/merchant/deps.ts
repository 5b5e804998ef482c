import type { LiveFeed } from '../../../operations/index.ts';
import type { CreateDeps, SearchDeps } from '../../../payments/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { Tokens } from '../../../recurring/index.ts';
import type { EndpointTerms } from '../../../webhooks/index.ts';

/** What the merchant console calls features with; each plugin picks what its calls need. */
export interface MerchantDeps extends Pick<CreateDeps, 'db' | 'engine' | 'networks' | 'publicUrl'> {
  readonly create: CreateDeps;
  readonly clock: Clock;
  readonly feed: Pick<LiveFeed, 'join'>;
  /** Signs the links in emails to customers. */
  readonly tokens: Tokens;
  readonly endpoints: EndpointTerms & { readonly secretBox: SecretBox };
  /** Reaches the watchers of networks, in this process or others. */
  readonly search: SearchDeps;
  /** False: every merchant has the one unlimited plan, and nothing is for sale. */
  readonly plansEnabled: boolean;
  /** Name of the merchant that receives plan payments; null when none are sold. */
  readonly operatorMerchant: string | null;
  /** Maximum number of unconfirmed recurring payment requests of a merchant. */
  readonly maxUnconfirmed: number;
}
