import '../../../styles/wallets.css';
import { useState } from 'react';
import type { ChainChoice } from '../../../../http/console/merchant/wallets/schemas.ts';
import { CheckField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { NETWORK_WORDS } from './labels.ts';
import { StepHeading } from './stepper.tsx';

/** The coins of the wallet, all of one chain. */
export interface ChosenCoins {
  readonly chain: ChainChoice;
  readonly cryptos: readonly string[];
}

interface ChooseCoinsProps {
  readonly chains: readonly ChainChoice[];
  /** The previous choice, when the user comes back. */
  readonly chosen: ChosenCoins | null;
  choose(coins: ChosenCoins): void;
  cancel(): void;
}

/** The first step: one chain, and on Ethereum its tokens. */
export function ChooseCoins({ chains, chosen, choose, cancel }: ChooseCoinsProps) {
  const [chainId, setChainId] = useState(chosen === null ? null : idOf(chosen.chain));
  const [cryptos, setCryptos] = useState<readonly string[]>(chosen?.cryptos ?? []);
  const chain = chains.find((one) => idOf(one) === chainId);
  const pick = (next: ChainChoice) => {
    setChainId(idOf(next));
    setCryptos(next.coins.filter(({ symbol, isToken }) => !isToken || USUAL_TOKENS.includes(symbol)).map(symbolOf));
  };
  const submit = () => {
    if (chain !== undefined && cryptos.length > 0) choose({ chain, cryptos });
  };
  return (
    <Form action="Continue" isDisabled={cryptos.length === 0} submit={submit} close={cancel}>
      <StepHeading>Which coins do you want to accept?</StepHeading>
      <fieldset className="choices">
        <legend className="unseen">Blockchain</legend>
        {chains.map((one) => (
          <label key={idOf(one)} className="choice">
            <input type="radio" name="chain" checked={idOf(one) === chainId} onChange={() => pick(one)} />
            <span>
              <strong>{nameOf(one)}</strong>
              <span className="choice-about">{aboutOf(one)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {chain === undefined || chain.coins.length < 2 ? null : (
        <Tokens chain={chain} cryptos={cryptos} setCryptos={setCryptos} />
      )}
      <Problems chain={chain} cryptos={cryptos} />
    </Form>
  );
}

// Helpers

/** Preselected: the most used dollar tokens. */
const USUAL_TOKENS = ['USDT', 'USDC'];

interface TokensProps {
  readonly chain: ChainChoice;
  readonly cryptos: readonly string[];
  setCryptos(cryptos: readonly string[]): void;
}

function Tokens({ chain, cryptos, setCryptos }: TokensProps) {
  const toggle = (symbol: string) =>
    setCryptos(cryptos.includes(symbol) ? cryptos.filter((one) => one !== symbol) : [...cryptos, symbol]);
  return (
    <fieldset className="tokens">
      <legend className="field-label">One wallet receives all of these. Which do you accept?</legend>
      {chain.coins.map(({ symbol, name }) => (
        <CheckField
          key={symbol}
          label={`${symbol} (${name})`}
          checked={cryptos.includes(symbol)}
          onChange={() => toggle(symbol)}
        />
      ))}
    </fieldset>
  );
}

/** A warning that blocks nothing: the wallet can be added before the service is ready for it. */
function Problems({
  chain,
  cryptos,
}: {
  readonly chain: ChainChoice | undefined;
  readonly cryptos: readonly string[];
}) {
  const problems = (chain?.coins ?? []).filter(({ symbol, problem }) => problem !== null && cryptos.includes(symbol));
  const said = [...new Set(problems.map(({ problem }) => problem))];
  if (said.length === 0) return null;
  return (
    <div className="notice" role="status">
      <p>{said.join(' ')} You can add the wallet now; it is used as soon as that changes.</p>
    </div>
  );
}

function symbolOf({ symbol }: { readonly symbol: string }): string {
  return symbol;
}

/** A chain can be listed twice: for live and for test payments. */
function idOf({ mode, chain }: ChainChoice): string {
  return `${mode} ${chain}`;
}

function nameOf({ mode, name, coins }: ChainChoice): string {
  const what = coins.length > 1 ? `${name} and its tokens` : `${name} (${coins[0]?.symbol ?? ''})`;
  return mode === 'test' ? `${what} for test payments` : what;
}

function aboutOf({ coins, networkKind }: ChainChoice): string {
  const attached = coins.filter(({ isAttached }) => isAttached).map(symbolOf);
  const network = NETWORK_WORDS[networkKind];
  return [
    coins.length > 1 ? coins.map(symbolOf).join(', ') : '',
    network ?? '',
    attached.length === 0 ? '' : `has a wallet: ${attached.join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
