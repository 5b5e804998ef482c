import { sumBaseUnits } from '../vocabulary/amount.ts';
import { ASSETS } from '../vocabulary/asset.ts';
import type { ChainOrder, DecidedBalance, OutputRecord, TransactionContext } from './context.ts';
import { isLive } from './rules/live.ts';

/** Which outputs are the same money: under a new id, replaced, or explained. */

type Coins = Pick<TransactionContext, 'outputs' | 'crypto' | 'decidedBalances'>;

/**
 * Returns whether an output is the same money as one of the named ones: that output under a new id,
 * a transaction that explains it, or its replacement. The named one counts no longer, or for less.
 * A replacement shares its first sighting. One that replaces several is that money only if all of
 * them are named.
 */
export function isMoneyOf(outputIds: readonly string[], coins: Coins): (output: OutputRecord) => boolean {
  if (outputIds.length === 0) return () => false;
  const names = withNewIds(outputIds, coins);
  const ended = coins.outputs.filter((output) => names.has(output.outputId) && !isLive(output));
  const isOf = (output: OutputRecord, firstSeenOrder: ChainOrder) =>
    ended.some(
      (named) =>
        named.firstSeenOrder === firstSeenOrder &&
        (named.txid === output.txid
          ? named.amountBaseUnits === output.amountBaseUnits
          : maySpendTheSame(named, output)),
    );
  return (output) =>
    names.has(output.outputId) ||
    (output.replacedSightings ?? [output.firstSeenOrder]).every((sighting) => isOf(output, sighting));
}

/** The sums of these balances, for a decision that covers them; the first decision counts. */
export function withDecidedBalances(
  { decidedBalances = {} }: TransactionContext,
  outputs: readonly OutputRecord[],
): Pick<TransactionContext, 'decidedBalances'> {
  const balances = outputs.filter(({ txid, outputId }) => txid === null && decidedBalances[outputId] === undefined);
  if (balances.length === 0) return {};
  const decided = balances.map(({ outputId, amountBaseUnits: baseUnits, order }) => [outputId, { baseUnits, order }]);
  return { decidedBalances: { ...decidedBalances, ...Object.fromEntries(decided) } };
}

// Helpers

/** These ids, and those that the same coins have got since, one after another. */
function withNewIds(outputIds: readonly string[], coins: Coins): ReadonlySet<string> {
  const names = new Set(outputIds);
  const isNamedByPosition = ASSETS[coins.crypto].family === 'evm';
  if (!isNamedByPosition) return names;
  for (let size = -1; size !== names.size; ) {
    size = names.size;
    const named = coins.outputs.filter(({ outputId }) => names.has(outputId));
    for (const output of coins.outputs) {
      if (!names.has(output.outputId) && named.some((each) => isNewIdOf(output, each, names, coins))) {
        names.add(output.outputId);
      }
    }
  }
  return names;
}

/**
 * Whether named coins of Ethereum have this id now.
 *
 * A transaction that is executed again, like a swap, may pay another amount at another position: it
 * is the same money if all that it paid before was named. Coins seen only in a balance share no
 * transaction with what they turn out to be.
 */
function isNewIdOf(
  output: OutputRecord,
  named: OutputRecord,
  names: ReadonlySet<string>,
  { outputs, decidedBalances }: Coins,
): boolean {
  if (named.txid !== null && output.txid !== null) {
    if (output.txid !== named.txid || isLive(named)) return false;
    const before = outputs.filter((each) => each.txid === named.txid && each !== output && !isLive(each));
    return before.every(({ outputId }) => names.has(outputId));
  }
  const before = output.outdates?.[named.outputId];
  // A report that names coins gone before gives them no new id.
  if (before === undefined || (named.presence === 'gone' && named.order < before)) return false;
  if (!isLive(named) && output.amountBaseUnits === named.amountBaseUnits) return true;
  const decided = decidedBalances?.[named.outputId];
  return named.txid === null && decided !== undefined && before > decided.order && isExplained(named, decided, outputs);
}

/** Whether the transactions found for a balance since the decision are all, or the rest, of it. */
function isExplained(balance: OutputRecord, decided: DecidedBalance, outputs: readonly OutputRecord[]): boolean {
  const explaining = outputs.filter(({ outdates }) => (outdates?.[balance.outputId] ?? -1) > decided.order);
  const sum = sumBaseUnits(explaining);
  const whole = BigInt(decided.baseUnits);
  if (isLive(balance)) return sum + BigInt(balance.amountBaseUnits) === whole;
  // The report of what is left of it may not have been processed yet.
  return balance.presence === 'gone' ? sum === whole : sum <= whole;
}

/** Two transactions that replace parts of one may have no coin in common. */
function maySpendTheSame(one: OutputRecord, other: OutputRecord): boolean {
  if (one.spends === undefined || other.spends === undefined) return true;
  const spent = new Set(one.spends);
  return other.spends.some((coin) => spent.has(coin));
}
