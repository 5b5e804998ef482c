import { SECOND_MS } from '../../../../machines/index.ts';
import { createEvmNode, evmChain } from '../../../chains/index.ts';
import { type EvmNodeConfig, settingPrefix } from '../../../platform/config/index.ts';
import { messageOf } from '../../../platform/errors.ts';
import { tokensOf } from '../../../service/payment-networks-of.ts';
import { networkName } from '../../../wallets/index.ts';
import { type Check, type Examined, type Finding, ok, problem, warning } from '../check.ts';

/**
 * The nodes of account-based chains. Each endpoint is checked, because the second must work when
 * the first fails.
 */
export const EVM_CHECKS: readonly Check[] = [{ name: 'EVM nodes', run: evmNodes }];

// Helpers

const RESPONSE_TIMEOUT_MS = 8_000;

async function evmNodes(examined: Examined): Promise<Finding[]> {
  const requested = examined.config.nodes.flatMap((node) => {
    if (node.family !== 'evm') return [];
    return node.rpcUrls.map((url, index) => inspectNode(examined, node, { url, setting: settingOf(node, index) }));
  });
  return (await Promise.all(requested)).flat();
}

async function inspectNode(
  { log, clock }: Examined,
  config: EvmNodeConfig,
  { url, setting }: { readonly url: string; readonly setting: string },
): Promise<Finding[]> {
  const params = evmChain(networkName(config.chain, config.networkKind));
  const named = (text: string) => `${params.network} (${setting}): ${text}`;
  const tokens = tokensOf(config);
  const node = createEvmNode({ urls: [url], params, tokens, log, clock, timeoutMs: RESPONSE_TIMEOUT_MS });
  try {
    // Also verifies that it is the right chain.
    const { latest, isSyncing } = await node.heads();
    const ageMs = clock.now() - latest.timeSeconds * SECOND_MS;
    if (isSyncing || (params.staleAfterMs !== null && ageMs > params.staleAfterMs)) {
      const text = named(`still syncing, at block ${latest.height}`);
      return [
        warning(text, 'Wait until it has synced; until then payment windows stay open. Tokens are checked afterwards.'),
      ];
    }
    const problems = await node.verifyTokenDecimals();
    return [
      ok(
        named(
          `chain id ${params.chainId}, at block ${latest.height}; ${tokens.length - problems.length} of ${tokens.length} tokens match their settings`,
        ),
      ),
      ...problems.map(({ message }) =>
        problem(named(message), `Correct it in ${settingPrefix(config)}_TOKENS and restart the watchers.`),
      ),
    ];
  } catch (error) {
    return [
      problem(
        named(messageOf(error)),
        `Check ${setting} and ${settingPrefix(config)}_NETWORK, and that the node is running.`,
      ),
    ];
  } finally {
    await node.close();
  }
}

function settingOf(node: EvmNodeConfig, index: number): string {
  const name = `${settingPrefix(node)}_RPC_URL`;
  return index === 0 ? name : `${name}_${index + 1}`;
}
