import { spawnSync } from 'node:child_process';
import { type DescribeSuite, requireOrSkip } from '../run/skip.ts';

const PING_TIMEOUT_MS = 20_000;

/** `describe` for suites that install packages from the registry as a user does. */
export const describeWithRegistry: DescribeSuite = requireOrSkip(
  spawnSync('npm', ['ping'], { timeout: PING_TIMEOUT_MS }).status === 0,
  'the package registry does not answer',
  'connect this machine to the network, or set npm_config_registry to a mirror (npm ping must succeed)',
);
