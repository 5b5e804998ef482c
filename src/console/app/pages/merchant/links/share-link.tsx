import { useState } from 'react';
import type { LinkInfo } from '../../../../merchant/links/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { useMode } from '../../../routing/router.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Facts } from '../../../ui/card.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FullMoment } from '../../../ui/moment.tsx';
import { QrCode } from '../../account/qr-code.tsx';
import { addressOf, isPublishableKey, KEY_PLACEHOLDER, snippetOf } from './link-address.ts';
import { priceText, STATE_WORDS, usesText } from './link-labels.ts';

interface ShareLinkProps {
  readonly link: LinkInfo;
  readonly payUrl: string;
  /** Coins that can be paid with now. */
  readonly coins: readonly string[];
}

/** The details of a link, and the ways to share it. */
export function ShareLink({ link, payUrl, coins }: ShareLinkProps) {
  return (
    <>
      <Facts facts={factsOf(link)} />
      {link.state === 'open' ? <Ways link={link} payUrl={payUrl} coins={coins} /> : null}
    </>
  );
}

// Helpers

function factsOf(link: LinkInfo) {
  const { description, price, currency, cryptos, successUrl, expiresAt, closedAt, state } = link;
  const { word, tone } = STATE_WORDS[state];
  return [
    [
      'State',
      <Badge key="state" tone={tone}>
        {word}
      </Badge>,
    ],
    ['Price', priceText(price, currency)],
    ['Coins', cryptos.length === 0 ? 'all that you take' : cryptos.join(', ')],
    ['Paid', usesText(link)],
    ...(description === null ? [] : [['Note for yourself', description] as const]),
    ['Expires', expiresAt === null ? 'never' : <FullMoment key="expires" at={expiresAt} />],
    ...(closedAt === null ? [] : [['Closed', <FullMoment key="closed" at={closedAt} />] as const]),
    ...(successUrl === null ? [] : [['After paying', <SuccessUrl key="success" url={successUrl} />] as const]),
  ] as const;
}

/** The server accepts only http and https; any other URL is shown as text. */
function SuccessUrl({ url }: { readonly url: string }) {
  if (!/^https?:\/\//i.test(url)) return url;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {url}
    </a>
  );
}

/**
 * Kept while the console is open, so that it is entered only once: the URLs work only with the
 * merchant's own key.
 */
const keyInMind: { live: string; test: string } = { live: '', test: '' };

function Ways({ link, payUrl, coins }: ShareLinkProps) {
  const mode = useMode();
  const [typed, setTyped] = useState(keyInMind[mode]);
  const choices = link.cryptos.length === 0 ? coins : coins.filter((coin) => link.cryptos.includes(coin));
  const [chosen, setChosen] = useState('');
  const [amount, setAmount] = useState(link.price.kind === 'open' ? (link.price.min ?? '10') : '');
  const isKey = isPublishableKey(typed, mode);
  const crypto = choices.includes(chosen) ? chosen : (choices[0] ?? 'BTC');
  const sharing = { payUrl, publishableKey: isKey ? typed : KEY_PLACEHOLDER, crypto, amount };
  const address = addressOf(link, sharing);
  const snippet = snippetOf(link, sharing, choices.length === 0 ? [crypto] : choices);
  return (
    <>
      {choices.length === 0 ? (
        <p className="notice">
          None of its coins can be paid with at the moment, so customers read that you cannot take payments. Add a
          wallet first.
        </p>
      ) : null}
      <div className="form">
        <TextField
          label={`Your publishable key (${mode === 'live' ? 'live' : 'test'})`}
          placeholder={`pk_${mode}_…`}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          hint={
            <>
              The address carries it, so that the service knows whose payment it is. It is no secret. Keys are shown
              once, when they are made, and cannot be shown again: paste the one you keep, or{' '}
              <Link href={hrefOf('keys', {})}>make another</Link>.
            </>
          }
          error={typed === '' || isKey ? null : mistakeIn(typed, mode)}
          onChange={(event) => {
            const text = event.target.value.trim();
            setTyped(text);
            if (isPublishableKey(text, mode)) keyInMind[mode] = text;
          }}
        />
        <div className="links-choices">
          {choices.length < 2 ? null : (
            <SelectField label="Paid with" value={crypto} onChange={(event) => setChosen(event.target.value)}>
              {choices.map((coin) => (
                <option key={coin}>{coin}</option>
              ))}
            </SelectField>
          )}
          {link.price.kind === 'fixed' ? null : (
            <TextField
              label={`Amount in ${link.currency}`}
              inputMode="decimal"
              value={amount}
              onChange={(event) => setAmount(event.target.value)}
            />
          )}
        </div>
      </div>
      <div className={isKey ? 'links-ways' : 'links-ways links-ways-plain'}>
        {isKey ? <QrCode text={address} label={`QR code of the address of ${link.title}`} /> : null}
        <div className="links-texts">
          <Snippet title="Address" text={address} isUsable={isKey} />
          <Snippet title="Button for your page (HTML)" text={snippet} isUsable={isKey} />
        </div>
      </div>
    </>
  );
}

function mistakeIn(typed: string, mode: 'live' | 'test'): string {
  if (typed.startsWith('sk_')) return 'This is a secret key. It must never stand in an address: use a publishable one.';
  return `A publishable key for ${mode} payments begins with pk_${mode}_.`;
}

interface SnippetProps {
  readonly title: string;
  readonly text: string;
  readonly isUsable: boolean;
}

function Snippet({ title, text, isUsable }: SnippetProps) {
  return (
    <section className="links-snippet" aria-label={title}>
      <h3>
        {title} <Copy text={text} label={title} />
      </h3>
      <code className="links-code">{text}</code>
      {isUsable ? null : <p className="field-hint">Put your publishable key in place of {KEY_PLACEHOLDER}.</p>}
    </section>
  );
}
