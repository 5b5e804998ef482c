import type { Clock } from '../../../clock.ts';
import type { Config } from '../../../config/index.ts';
import type { LiveFeed } from '../../../operations/index.ts';
import type { CreateDeps } from '../../../payments/index.ts';
import type { Tokens } from '../../../recurring/index.ts';
import type { EndpointDeps } from '../../../webhooks/index.ts';

/** Everything the use cases of the merchant console need. Each binding takes the smallest part. */
export interface DeskDeps extends Pick<Config, 'plansEnabled' | 'operatorMerchant' | 'recurringMaxUnconfirmed'> {
  readonly clock: Clock;
  readonly create: CreateDeps;
  readonly tokens: Tokens;
  readonly endpoints: EndpointDeps['endpoints'];
  readonly feed: Pick<LiveFeed, 'join'>;
}
