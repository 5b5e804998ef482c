import type { LinkInfo } from '../../../../http/console/merchant/links/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { toast } from '../../../state/toasts.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { type Detail, DetailList } from '../../../ui/card.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { FullTimestamp } from '../../../ui/values/timestamp.tsx';
import { buttonOf } from './link-button.ts';
import { imageUrlOf, priceText, STATE_WORDS, usesText } from './link-labels.ts';
import { SaveQr } from './save-qr.tsx';

interface ShareLinkProps {
  readonly link: LinkInfo;
  /** Coins that can be paid with now. */
  readonly coins: readonly string[];
}

/** The details of a link, and the ways to share it. */
export function ShareLink({ link, coins }: ShareLinkProps) {
  return (
    <>
      {link.imageId === null ? null : (
        <img className="links-image" src={imageUrlOf(link.imageId)} alt={`What customers see of ${link.title}`} />
      )}
      <DetailList items={detailsOf(link)} />
      {link.state === 'open' ? <Ways link={link} coins={coins} /> : null}
    </>
  );
}

/** Copies the address of a link, straight from the list. */
export function CopyLink({ url, title }: { readonly url: string; readonly title: string }) {
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast('Link copied.'),
      () => toast('This browser does not allow copying. Open the link and select its address.', 'bad'),
    );
  return (
    <Button variant="quiet" aria-label={`Copy link of ${title}`} onClick={() => void copy()}>
      Copy link
    </Button>
  );
}

// Helpers

function detailsOf(link: LinkInfo): readonly Detail[] {
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
    ['Coins', cryptos.length === 0 ? 'all that you accept' : cryptos.join(', ')],
    ['Paid', usesText(link)],
    description === null ? null : ['Description', description],
    ['Expires', expiresAt === null ? 'never' : <FullTimestamp key="expires" at={expiresAt} />],
    closedAt === null ? null : ['Closed', <FullTimestamp key="closed" at={closedAt} />],
    successUrl === null ? null : ['After paying', <SuccessUrl key="success" url={successUrl} />],
  ];
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

function Ways({ link, coins }: ShareLinkProps) {
  const isPayable = coins.some((coin) => link.cryptos.length === 0 || link.cryptos.includes(coin));
  return (
    <>
      {isPayable ? null : (
        <p className="notice">
          None of its coins is available at the moment, so customers see that you cannot accept payments.{' '}
          <Link href={hrefOf('wallets', {})}>Add a wallet</Link> first.
        </p>
      )}
      <div className="links-ways">
        <div>
          <QrCode text={link.url} label={`QR code of the address of ${link.title}`} />
          <SaveQr text={link.url} name={`payment-link-${link.slug}`} />
        </div>
        <div className="links-texts">
          <LinkSnippet title="Address" text={link.url} />
          <LinkSnippet title="Button for your page (HTML)" text={buttonOf(link)} />
          <p className="soft">
            <a href={link.url} target="_blank" rel="noreferrer noopener">
              See what customers see
            </a>
          </p>
        </div>
      </div>
    </>
  );
}

function LinkSnippet({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section className="links-snippet" aria-label={title}>
      <h3>
        {title} <Copy text={text} label={title} />
      </h3>
      <code className="links-code">{text}</code>
    </section>
  );
}
