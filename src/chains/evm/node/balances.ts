import type { CryptoSymbol } from '../../../../machines/index.ts';
import { RetryableError } from '../../../platform/errors.ts';
import type { Account, Cursor } from '../../port.ts';
import type { RpcCall, RpcReply } from '../../rpc/rpc-call.ts';
import type { TokenTable } from '../built-in-tokens.ts';
import type { EvmRpc } from '../rpc/json-rpc.ts';
import type { MulticallEntry, MulticallResult } from '../rpc/multicall.ts';
import { asBytes, asQuantity, unusable } from '../rpc/read-response.ts';
import { asRpcError, isFailedCall } from '../rpc/rpc-rejections.ts';
import { stateAt, whereStateExists } from './state-at.ts';

/**
 * Multicall3 (github.com/mds1/multicall3) has the same address on every public network. Where it is
 * missing, on a private chain, accounts are queried one by one in batches. Deployless calls would
 * work too, but providers limit their size (EIP-3860), and only development nodes need them.
 */
const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';
/**
 * 500 of the most expensive balances (tokens behind a proxy) use about 20 million gas; nodes allow
 * 50 million per `eth_call`.
 */
export const ACCOUNTS_PER_CALL = 500;
const WORD_CHARACTERS = 66;

/**
 * Function selectors of `balanceOf(address)` (ERC-20) and Multicall3's `getEthBalance(address)`.
 */
const BALANCE_OF = '0x70a08231';
const GET_ETH_BALANCE = '0x4d2301cc';
const ADDRESS_PADDING = '00'.repeat(12);

/** A token contract does not return a balance. Balances of other tokens can be read without it. */
export class UnreadableBalanceError extends RetryableError {
  readonly asset: CryptoSymbol;

  constructor({ watchKey, asset }: Account, reason: string) {
    super(
      'TOKEN_BALANCE_UNREADABLE',
      `the ${asset} contract returned no balance of ${watchKey} (${reason}): check the contract configured for ${asset}`,
    );
    this.asset = asset;
  }
}

/**
 * Balances as of a block of the best chain, in the order of the accounts; null when the node does
 * not have the state of that block. Throws `LeftChainError`.
 *
 * A failing contract does not affect other accounts: the account is queried once more on its own,
 * and if that fails too, `UnreadableBalanceError` names the account and the token. Zero would look
 * like stolen money, so no balance is substituted. The caller may omit that token and retry.
 */
export async function fetchBalances(
  { rpc, asset: coin, tokens }: BalanceSource,
  accounts: readonly Account[],
  at: Cursor,
): Promise<bigint[] | null> {
  const contracts = new Map<string, string>(tokens.map((token) => [token.symbol, token.contract]));
  const block = stateAt(at);
  /** Assumed until a result is empty, as it is at an address without a contract. */
  let hasMulticall = true;

  function target(account: Account): Target {
    const address = asHex(account.watchKey);
    if (account.asset === coin) return { address, contract: null };
    const contract = contracts.get(account.asset);
    if (contract === undefined) throw new UnreadableBalanceError(account, 'none is configured on this network');
    return { address, contract: asHex(contract) };
  }

  async function fetchBatch(part: readonly Account[]): Promise<bigint[]> {
    if (!hasMulticall) return fetchEach(part);
    const calls = part.map((account) => multicallEntry(target(account)));
    const { decodeAggregate, encodeAggregate } = await import('../rpc/multicall.ts');
    const data = encodeAggregate(calls);
    let response: string;
    try {
      response = asBytes(await rpc.call('eth_call', [{ to: MULTICALL3, data }, block]));
    } catch (error) {
      const rpcError = asRpcError(error);
      if (rpcError === null || !isFailedCall(rpcError)) throw error;
      if (part.length === 1) return fetchEach(part);
      // The batch needs too much gas for one call.
      const half = Math.ceil(part.length / 2);
      return [...(await fetchBatch(part.slice(0, half))), ...(await fetchBatch(part.slice(half)))];
    }
    if (response === '0x') {
      hasMulticall = false;
      return fetchEach(part);
    }
    return fillFailed(part, readAggregate(decodeAggregate, response, part.length));
  }

  /** A call may have failed only because earlier calls used up the gas. */
  async function fillFailed(part: readonly Account[], found: readonly (bigint | null)[]): Promise<bigint[]> {
    const failed = part.filter((_, index) => found[index] === null);
    const again = await fetchEach(failed);
    return found.map((balance) => balance ?? again.shift() ?? 0n);
  }

  async function fetchEach(part: readonly Account[]): Promise<bigint[]> {
    const targets = part.map(target);
    const replies = await rpc.batch(targets.map((each) => singleCall(each, block)));
    return part.map((account, index) => readSingle(account, targets[index]?.contract === null, replies[index]));
  }

  return whereStateExists(rpc, at, async () => {
    const balances: bigint[] = [];
    for (let start = 0; start < accounts.length; start += ACCOUNTS_PER_CALL) {
      balances.push(...(await fetchBatch(accounts.slice(start, start + ACCOUNTS_PER_CALL))));
    }
    return balances;
  });
}

// Helpers

type Hex = `0x${string}`;

interface BalanceSource {
  readonly rpc: EvmRpc;
  /** The chain's native coin. */
  readonly asset: CryptoSymbol;
  readonly tokens: TokenTable;
}

interface Target {
  readonly address: Hex;
  /** Null for the native coin. */
  readonly contract: Hex | null;
}

function multicallEntry({ address, contract }: Target): MulticallEntry {
  return {
    target: contract ?? asHex(MULTICALL3),
    allowFailure: true,
    callData: addressCall(contract === null ? GET_ETH_BALANCE : BALANCE_OF, address),
  };
}

function singleCall({ address, contract }: Target, block: object): RpcCall {
  return contract === null
    ? { method: 'eth_getBalance', params: [address, block] }
    : { method: 'eth_call', params: [{ to: contract, data: addressCall(BALANCE_OF, address) }, block] };
}

/**
 * Encoded by hand: viem's encoder takes longer for the thousands of calls of one poll than the node
 * takes to respond.
 */
function addressCall(selector: Hex, address: Hex): Hex {
  return `${selector}${ADDRESS_PADDING}${address.slice(2)}`;
}

/** Null for calls that failed and for results that are not a balance. */
function readAggregate(
  decode: (data: Hex) => readonly MulticallResult[],
  response: string,
  length: number,
): (bigint | null)[] {
  let results: readonly MulticallResult[];
  try {
    results = decode(asHex(response));
  } catch {
    throw unusable(response, 'the response of Multicall3');
  }
  if (results.length !== length) throw unusable(results.length, `${length} results of Multicall3`);
  return results.map(({ success, returnData }) => (success && isWord(returnData) ? BigInt(returnData) : null));
}

function readSingle(account: Account, isCoin: boolean, reply: RpcReply | undefined): bigint {
  if (reply === undefined) throw unusable(undefined, 'a balance');
  if (!reply.ok) {
    if (isCoin || !isFailedCall(reply.error)) throw reply.error;
    throw new UnreadableBalanceError(account, reply.error.message);
  }
  if (isCoin) return asQuantity(reply.result);
  const data = asBytes(reply.result);
  if (isWord(data)) return BigInt(data);
  throw new UnreadableBalanceError(account, data === '0x' ? 'there is no contract' : 'the response is not a number');
}

function isWord(data: string): boolean {
  return data.length === WORD_CHARACTERS;
}

function isHex(text: string): text is Hex {
  return /^0x[0-9a-f]*$/i.test(text);
}

function asHex(text: string): Hex {
  if (!isHex(text)) throw new RangeError(`"${text}" is not hexadecimal`);
  return text;
}
