import type { TokenTable } from '../../../../src/chains/evm/built-in-tokens.ts';
import { type ConnectedEvmNode, createEvmNode } from '../../../../src/chains/evm/node/create-evm-node.ts';
import type { EvmNode } from '../../../../src/chains/evm/node/evm-node.ts';
import { type Cursor, type EvmChainParams, evmChain } from '../../../../src/chains/index.ts';

/** A node under test, with its clock and its log. */
export interface NodeUnderTest {
  readonly node: ConnectedEvmNode;
  readonly clock: { nowMs: number; now(): number };
  /** Level and message, and the fields as JSON. */
  readonly logged: readonly string[];
}

export interface NodeSettings {
  readonly params?: EvmChainParams;
  readonly tokens?: TokenTable;
  readonly timeoutMs?: number;
}

const START_MS = Date.UTC(2026, 0, 1);

export function makeNode(urls: readonly string[], settings: NodeSettings = {}): NodeUnderTest {
  const logged: string[] = [];
  const write = (level: string) => (fields: object, message: string) => {
    logged.push(`${level}: ${message} ${JSON.stringify(fields)}`);
  };
  const log = { info: write('info'), warn: write('warn'), error: write('error') };
  const clock = { nowMs: START_MS, now: () => clock.nowMs };
  const { params = evmChain('ethereum-regtest'), tokens = [], timeoutMs } = settings;
  const node = createEvmNode({ urls, params, tokens, log, clock, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  return { node, clock, logged };
}

/** A block of the node's best chain; above its tip, one that does not exist. */
export async function cursorAt(node: EvmNode, height: number): Promise<Cursor> {
  const [blockHash] = await node.blockHashes([height]);
  return { height, blockHash: blockHash ?? `0x${'ab'.repeat(32)}` };
}
