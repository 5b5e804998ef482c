import { type CryptoSymbol, SECOND_MS } from '../../../machines/index.ts';
import type { ConnectedEvmNode, EvmChainParams, TokenTable } from '../../chains/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';

/** Tokens whose contracts have the expected decimals, and the problems of the others. */
export interface VerifiedTokens {
  readonly tokens: TokenTable;
  readonly unwatchedAssets: readonly CryptoSymbol[];
  /** Sentences for the operator. */
  readonly problems: readonly string[];
}

/**
 * Reads the decimals of every contract once. A token whose contract is missing or has other
 * decimals is left out, because its amounts would be wrong by powers of ten. Until the network has
 * responded, each call tries again. Throws a `RetryableError` while the node is syncing, because
 * the blocks that created a contract may still be missing.
 */
export function createTokenVerification(deps: {
  readonly params: Pick<EvmChainParams, 'network' | 'staleAfterMs'>;
  readonly tokens: TokenTable;
  /** The setting that contains the contracts, such as `ETH_TOKENS`. */
  readonly setting: string;
  readonly node: Pick<ConnectedEvmNode, 'heads' | 'verifyTokenDecimals'>;
  readonly clock: Clock;
  readonly log: Log;
}): () => Promise<VerifiedTokens> {
  const { params, tokens, setting, node, clock, log } = deps;
  const { network, staleAfterMs } = params;
  let verified: Promise<VerifiedTokens> | null = null;

  async function requireSyncedNode(): Promise<void> {
    const { latest, isSyncing } = await node.heads();
    const isStale = staleAfterMs !== null && clock.now() - latest.timeSeconds * SECOND_MS > staleAfterMs;
    if (!isSyncing && !isStale) return;
    throw new RetryableError(
      'NODE_SYNCING',
      `the node of ${network} is still syncing (block ${latest.height}); its tokens are checked afterwards`,
    );
  }

  async function verify(): Promise<VerifiedTokens> {
    await requireSyncedNode();
    const problems = await node.verifyTokenDecimals();
    for (const { symbol, message } of problems) {
      log.error({ network, symbol, reason: message }, `a token is not watched: correct ${setting} and restart`);
    }
    const unwatchedAssets = problems.map(({ symbol }) => symbol);
    return {
      tokens: tokens.filter(({ symbol }) => !unwatchedAssets.includes(symbol)),
      unwatchedAssets,
      problems: problems.map(({ message }) => `${message} Correct it in ${setting}.`),
    };
  }

  return () => {
    verified ??= verify().catch((error: unknown) => {
      verified = null;
      throw error;
    });
    return verified;
  };
}
