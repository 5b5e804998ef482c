import type { Interference, Interfering } from '../environment/rpc-proxy.ts';
import type { Random } from '../random.ts';
import type { Fault, Trouble } from './fault.ts';

/** Bitcoin Core's error codes (`rpc/protocol.h`). */
const IN_WARMUP = -28;
const NOT_FOUND = -5;
/** JSON-RPC 2.0; providers also use it for responses above their size limit. */
const INTERNAL_ERROR = -32_603;
const RESPONSE_TOO_BIG = -32_008;

const WARMUP_REPLIES = 6;
const TRACE_METHODS: ReadonlySet<string> = new Set(['debug_traceBlockByHash', 'trace_block']);

/** The Litecoin node restarts: warm-up, then no transactions until its mempool is loaded. */
export const MEMPOOL_LOADING: Fault = {
  name: 'node-mempool',
  lastsMs: [2_000, 10_000],
  async begin({ proxies }) {
    return trouble(
      'the Litecoin node has restarted and loads its mempool',
      proxies.litecoin.interfere(loadingMempool()),
    );
  },
};

/** A node answers 401, as after its password was changed. */
export const NODE_UNAUTHORIZED: Fault = {
  name: 'node-401',
  lastsMs: [2_000, 10_000],
  async begin({ proxies }, random) {
    const name = random.pick(['litecoin', 'ethereum'] as const);
    return trouble(`the ${name} node answers 401`, proxies[name].interfere(unauthorized()));
  },
};

/** The Ethereum node fails to trace but answers all other calls. */
export const TRACES_FAIL: Fault = {
  name: 'traces',
  lastsMs: [8_000, 25_000],
  async begin({ proxies }, random) {
    const how = pickTraceFailure(random);
    return trouble(`traces of the Ethereum node fail: ${how}`, proxies.ethereum.interfere(TRACE_FAILURES[how]));
  },
};

/**
 * `getmempoolinfo` has `loaded: false`, and no transaction is listed or found in the mempool. The
 * first calls fail as on a node that is starting.
 */
export function loadingMempool(): Interference {
  let warmups = 0;
  return {
    replace({ method, params }, reply) {
      warmups += 1;
      if (warmups <= WARMUP_REPLIES) return failed(reply.id, IN_WARMUP, 'Loading block index...');
      if (method === 'getrawmempool') return { ...reply, result: [] };
      if (method === 'getmempoolinfo') {
        return { ...reply, result: { ...(reply.result as object), loaded: false, size: 0, bytes: 0 } };
      }
      if (method === 'getmempoolentry') return failed(reply.id, NOT_FOUND, 'Transaction not in mempool');
      const isUnmined = method === 'getrawtransaction' && params?.[1] === true && !hasBlock(reply.result);
      return isUnmined ? failed(reply.id, NOT_FOUND, 'No such mempool or blockchain transaction') : null;
    },
  };
}

export function unauthorized(): Interference {
  return { reject: () => ({ status: 401, body: '' }) };
}

export const TRACE_FAILURES = {
  'internal error': {
    replace: (call, reply) => (isTrace(call) ? failed(reply.id, INTERNAL_ERROR, 'Internal error') : null),
  },
  'execution timeout': {
    replace: (call, reply) => (isTrace(call) ? failed(reply.id, -32_000, 'execution timeout') : null),
  },
  'no response': { reject: (methods) => (methods.some((method) => TRACE_METHODS.has(method)) ? 'no response' : null) },
  '429': {
    reject: (methods) =>
      methods.some((method) => TRACE_METHODS.has(method)) ? { status: 429, body: 'Too Many Requests' } : null,
  },
  'response is too big': {
    replace: (call, reply) => (isTrace(call) ? failed(reply.id, RESPONSE_TOO_BIG, 'Response is too big') : null),
  },
} as const satisfies { readonly [how: string]: Interference };

// Helpers

function pickTraceFailure(random: Random): keyof typeof TRACE_FAILURES {
  return random.pick(Object.keys(TRACE_FAILURES) as (keyof typeof TRACE_FAILURES)[]);
}

function trouble(what: string, interfering: Interfering): Trouble {
  let count = 0;
  return {
    what,
    async repair() {
      count = interfering.end();
    },
    effect: () => `${count} requests were affected`,
  };
}

function isTrace({ method }: { readonly method: string }): boolean {
  return TRACE_METHODS.has(method);
}

function hasBlock(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'blockhash' in result;
}

function failed(id: unknown, code: number, message: string) {
  return { id, result: null, error: { code, message } };
}
