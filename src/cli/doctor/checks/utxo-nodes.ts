import { connect } from 'node:net';
import { type InspectedNode, inspectUtxoNode } from '../../../chains/index.ts';
import { settingPrefix, type UtxoNodeConfig } from '../../../platform/config/index.ts';
import { messageOf } from '../../../platform/errors.ts';
import { networkName } from '../../../wallets/index.ts';
import { type Check, type Examined, type Finding, ok, problem, warning } from '../check.ts';

/** The nodes of the Bitcoin family. */
export const UTXO_CHECKS: readonly Check[] = [
  { name: 'coin nodes', run: (examined) => eachNode(examined, (node) => inspectNode(node, examined.clock.now())) },
  { name: 'ZMQ', run: (examined) => eachNode(examined, zmqOf) },
];

// Helpers

/** Clock difference between a node and its peers above which one of them is wrong. */
const CLOCK_OFFSET_SECONDS = 70;
const CONNECT_TIMEOUT_MS = 3_000;

/** Runs in parallel, so that a node that hangs does not delay the others. */
async function eachNode(
  { config }: Examined,
  inspect: (node: UtxoNodeConfig) => Promise<Finding[]>,
): Promise<Finding[]> {
  const found = await Promise.all(
    config.nodes.flatMap((node) => {
      if (node.family !== 'utxo') return [];
      return [
        inspect(node).then((findings) => findings.map((each) => ({ ...each, text: `${nameOf(node)}: ${each.text}` }))),
      ];
    }),
  );
  return found.flat();
}

async function inspectNode(node: UtxoNodeConfig, now: number): Promise<Finding[]> {
  const prefix = settingPrefix(node);
  let seen: InspectedNode;
  try {
    seen = await inspectUtxoNode({ url: node.rpcUrl, network: nameOf(node), now });
  } catch (error) {
    return [problem(messageOf(error), `Check ${prefix}_RPC_URL and ${prefix}_NETWORK, and that the node is running.`)];
  }
  const { height, behind, warnings, hasTransactionIndex, clockOffsetSeconds } = seen;
  const index = hasTransactionIndex === true ? ', with txindex' : '';
  const findings = [
    behind === null
      ? ok(`synced, at block ${height}${index}`)
      : warning(behind, 'Wait until it has synced; until then payment windows stay open and nothing is confirmed.'),
    ...warnings.map((text) => warning(text, 'See docs/operators/nodes.md.')),
  ];
  if (clockOffsetSeconds !== null && Math.abs(clockOffsetSeconds) > CLOCK_OFFSET_SECONDS) {
    findings.push(
      warning(
        `its clock differs from its peers' by ${Math.abs(clockOffsetSeconds)} s`,
        'Synchronize the clock of its machine with NTP.',
      ),
    );
  }
  return findings;
}

/** A node can publish on a port that is not reachable from here, so both are checked. */
async function zmqOf({ zmqUrl, rpcUrl, ...node }: UtxoNodeConfig): Promise<Finding[]> {
  if (zmqUrl === null) return [];
  const remedy = `Start the node with -zmqpubhashblock and -zmqpubrawtx at ${zmqUrl}, or unset ${settingPrefix(node)}_ZMQ_URL to poll it every second.`;
  if (!(await isListening(zmqUrl))) return [warning(`nothing listens at ${zmqUrl}`, remedy)];
  const network = networkName(node.chain, node.networkKind);
  const published = await inspectUtxoNode({ url: rpcUrl, network, now: Date.now() }).then(
    (seen) => seen.published,
    () => null,
  );
  const missing = ['hashblock', 'rawtx'].filter((topic) => published !== null && !published.includes(topic));
  if (missing.length > 0) return [warning(`it does not publish ${missing.join(' and ')}`, remedy)];
  return [ok(`${zmqUrl} responds`)];
}

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port),
      timeout: CONNECT_TIMEOUT_MS,
    });
    const settle = (response: boolean) => () => {
      socket.destroy();
      resolve(response);
    };
    socket.once('connect', settle(true)).once('error', settle(false)).once('timeout', settle(false));
  });
}

function nameOf({ chain, networkKind }: Pick<UtxoNodeConfig, 'chain' | 'networkKind'>): string {
  return networkName(chain, networkKind);
}
