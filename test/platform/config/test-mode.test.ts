import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Environment, loadConfig } from '../../../src/platform/config/index.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { errorsOf } from './config-errors.ts';

const DATABASE_URL = 'postgres://me:secret@db:5432/pay';
const LIVE_LTC = { DATABASE_URL, LTC_NETWORK: 'mainnet', LTC_RPC_URL: 'http://127.0.0.1:9332' };
const TEST_LTC = { TEST_LTC_NETWORK: 'regtest', TEST_LTC_RPC_URL: 'http://127.0.0.1:19443' };
const ONCHAIN = { TEST_MODE: 'onchain', ...TEST_LTC };

describe('TEST_MODE', () => {
  it('simulates test payments by default, and then needs no node', () => {
    expect(loadConfig({})).toMatchObject({ testMode: 'simulated', nodes: [] });
    expect(loadConfig({ TEST_MODE: 'simulated', ...LIVE_LTC })).toMatchObject({
      testMode: 'simulated',
      nodes: [{ mode: 'live', symbol: 'LTC' }],
    });
  });

  it('onchain connects the nodes for test keys after those for live keys, each with its own settings', () => {
    const token = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
    const config = loadConfig({
      ...LIVE_LTC,
      ...ONCHAIN,
      TEST_LTC_ZMQ_URL: 'tcp://127.0.0.1:28444',
      TEST_BTC_NETWORK: 'testnet',
      TEST_BTC_RPC_URL: 'http://127.0.0.1:18332',
      TEST_ETH_NETWORK: 'testnet',
      TEST_ETH_RPC_URL: 'http://127.0.0.1:8545',
      TEST_ETH_RPC_URL_2: 'https://sepolia.example/v3/key',
      TEST_ETH_TOKENS: `{"USDC":"${token}"}`,
    });
    expect(config.testMode).toBe('onchain');
    expect(config.nodes).toEqual([
      {
        family: 'utxo',
        mode: 'live',
        symbol: 'LTC',
        chain: 'litecoin',
        networkKind: 'mainnet',
        rpcUrl: LIVE_LTC.LTC_RPC_URL,
        zmqUrl: null,
      },
      {
        family: 'utxo',
        mode: 'test',
        symbol: 'BTC',
        chain: 'bitcoin',
        networkKind: 'testnet',
        rpcUrl: 'http://127.0.0.1:18332',
        zmqUrl: null,
      },
      {
        family: 'utxo',
        mode: 'test',
        symbol: 'LTC',
        chain: 'litecoin',
        networkKind: 'regtest',
        rpcUrl: TEST_LTC.TEST_LTC_RPC_URL,
        zmqUrl: 'tcp://127.0.0.1:28444',
      },
      {
        family: 'evm',
        mode: 'test',
        symbol: 'ETH',
        chain: 'ethereum',
        networkKind: 'testnet',
        rpcUrls: ['http://127.0.0.1:8545', 'https://sepolia.example/v3/key'],
        tokens: { USDC: token },
      },
    ]);
  });

  it('onchain uses public rate sources only where live payments need them', () => {
    expect(loadConfig(ONCHAIN).rateSources).toEqual([]);
    expect(loadConfig({ ...LIVE_LTC, ...ONCHAIN }).rateSources).toHaveLength(5);
  });
});

describe('an invalid setting for test keys', () => {
  it('is reported for a main network, for any coin and with any live node', () => {
    const coin = fc.constantFrom('BTC', 'LTC', 'DOGE', 'DASH', 'ETH');
    const others = fc.subarray([LIVE_LTC, TEST_LTC, { TEST_MODE: 'onchain' }]);
    assertProperty(
      fc.property(coin, others, (symbol, more) => {
        const env = { ...Object.assign({}, ...more), [`TEST_${symbol}_NETWORK`]: 'mainnet' };
        const errors = errorsOf({ ...env, [`TEST_${symbol}_RPC_URL`]: 'http://127.0.0.1:1' });
        expect(errors).toContain(
          `TEST_${symbol}_NETWORK: "mainnet" must be testnet or regtest, because test keys never use mainnet; ` +
            `set the node of live payments in ${symbol}_NETWORK and ${symbol}_RPC_URL.`,
        );
      }),
    );
  });

  const cases: readonly (readonly [string, Environment, string])[] = [
    ['a mode that does not exist', { TEST_MODE: 'chain' }, 'TEST_MODE: "chain" must be one of simulated, onchain.'],
    [
      'a mode that does not exist, beside a test node',
      { ...TEST_LTC, TEST_MODE: 'chain' },
      'TEST_MODE: "chain" must be one of simulated, onchain.',
    ],
    [
      'onchain without a test node',
      { ...LIVE_LTC, TEST_MODE: 'onchain' },
      'TEST_MODE: onchain needs the node of at least one coin; set TEST_LTC_NETWORK and TEST_LTC_RPC_URL, for example, ' +
        'or unset TEST_MODE to simulate test payments.',
    ],
    [
      'a network that does not exist',
      { ...ONCHAIN, TEST_LTC_NETWORK: 'signet' },
      'TEST_LTC_NETWORK: "signet" must be one of testnet, regtest.',
    ],
    [
      'a network without a URL',
      { ...ONCHAIN, TEST_LTC_RPC_URL: '' },
      'TEST_LTC_RPC_URL: is not set although TEST_LTC_NETWORK is; set both or neither.',
    ],
    [
      'a companion without its node',
      { ...ONCHAIN, TEST_ETH_RPC_URL_2: 'http://127.0.0.1:8546' },
      'TEST_ETH_RPC_URL_2: has no effect without TEST_ETH_NETWORK and TEST_ETH_RPC_URL; set them, or unset it.',
    ],
    [
      'the network of live payments',
      { ...ONCHAIN, LTC_NETWORK: 'regtest', LTC_RPC_URL: 'http://127.0.0.1:1' },
      'TEST_LTC_NETWORK: regtest is also LTC_NETWORK; live and test payments need separate networks: choose ' +
        'another one, or unset LTC_NETWORK and LTC_RPC_URL.',
    ],
    [
      'the node of live payments',
      { ...ONCHAIN, DATABASE_URL, LTC_NETWORK: 'mainnet', LTC_RPC_URL: TEST_LTC.TEST_LTC_RPC_URL },
      'TEST_LTC_RPC_URL: is also the node of live payments (LTC_RPC_URL), and a node serves one network; set the ' +
        'URL of a node on regtest.',
    ],
    [
      'the second node of live payments',
      {
        DATABASE_URL,
        TEST_MODE: 'onchain',
        ETH_NETWORK: 'mainnet',
        ETH_RPC_URL: 'http://127.0.0.1:1',
        ETH_RPC_URL_2: 'http://127.0.0.1:2',
        TEST_ETH_NETWORK: 'testnet',
        TEST_ETH_RPC_URL: 'http://127.0.0.1:2',
      },
      'TEST_ETH_RPC_URL: is also the node of live payments (ETH_RPC_URL), and a node serves one network; set the ' +
        'URL of a node on testnet.',
    ],
  ];
  it.each(cases)('is reported for %s', (_, env, error) => expect(errorsOf(env)).toEqual([error]));

  it('is reported once per variable for any node of test keys while test payments are simulated', () => {
    expect(errorsOf(TEST_LTC)).toEqual([
      'TEST_LTC_NETWORK: has no effect without TEST_MODE=onchain; set it, or unset TEST_LTC_NETWORK.',
      'TEST_LTC_RPC_URL: has no effect without TEST_MODE=onchain; set it, or unset TEST_LTC_RPC_URL.',
    ]);
  });

  it('never repeats the password of a node in its message', () => {
    const secret = 'http://me:hunter2hunter2@127.0.0.1:9332';
    const env = { TEST_MODE: 'onchain', LTC_NETWORK: 'mainnet', LTC_RPC_URL: secret, TEST_LTC_NETWORK: 'regtest' };
    expect(errorsOf({ ...env, TEST_LTC_RPC_URL: secret }).join()).not.toContain('hunter2');
    expect(errorsOf({ ...env, TEST_LTC_RPC_URL: 'me:hunter2hunter2@host' }).join()).not.toContain('hunter2');
  });
});
