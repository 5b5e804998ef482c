import type { KeyInfo } from '../../../../http/console/merchant/keys/schemas.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { MoreMenu } from '../../../ui/windows/more-menu.tsx';
import type { KeyAction } from './key-dialogs.tsx';
import { hintOf, KIND_MEANINGS, KIND_WORDS, nameOf } from './labels.ts';

interface KeyLineProps {
  readonly info: KeyInfo;
  readonly act: ((doing: KeyAction) => void) | null;
}

/** An active key and its actions. */
export function KeyLine({ info, act }: KeyLineProps) {
  return (
    <li className="line key">
      <div className="line-main">
        <p className="key-head">
          <strong className="wrap">{info.name === '' ? 'Unnamed key' : info.name}</strong>
          <code>{hintOf(info)}</code>
          <span title={KIND_MEANINGS[info.kind]}>
            <Badge tone={info.kind === 'secret' ? 'warn' : 'info'}>{KIND_WORDS[info.kind]}</Badge>
          </span>
          {info.endsAt === null ? null : (
            <Badge tone="warn">
              expires <Timestamp at={info.endsAt} />
            </Badge>
          )}
        </p>
        <p className="soft">
          <Uses info={info} />
        </p>
        <Rules info={info} />
      </div>
      {act === null ? null : <Actions info={info} act={act} />}
    </li>
  );
}

/** Keys that no longer work, to explain why requests are rejected. */
export function EndedKeys({ keys }: { readonly keys: readonly KeyInfo[] }) {
  if (keys.length === 0) return null;
  return (
    <Card>
      <details>
        <summary>Inactive keys ({keys.length})</summary>
        <ul className="lines">
          {keys.map((info) => (
            <li key={info.id} className="line">
              <div className="line-main">
                <p className="key-head">
                  <span className="wrap">{info.name === '' ? 'Unnamed key' : info.name}</span>
                  <code>{hintOf(info)}</code>
                </p>
                <p className="soft">
                  <Uses info={info} />
                  {info.endsAt === null ? null : (
                    <>
                      , ended <Timestamp at={info.endsAt} />
                    </>
                  )}
                </p>
              </div>
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}

// Helpers

function Uses({ info: { createdAt, lastUsedAt } }: { readonly info: KeyInfo }) {
  return (
    <>
      Created <Timestamp at={createdAt} />,{' '}
      {lastUsedAt === null ? (
        'never used'
      ) : (
        <>
          last used <Timestamp at={lastUsedAt} />
        </>
      )}
    </>
  );
}

function Rules({ info: { allowedCidrs, oneOpenPaymentPerIp } }: { readonly info: KeyInfo }) {
  const rules = [
    ...(allowedCidrs.length === 0 ? [] : [`Works only from ${allowedCidrs.join(', ')}`]),
    ...(oneOpenPaymentPerIp ? ['One open payment at a time per customer IP address'] : []),
  ];
  if (rules.length === 0) return null;
  return <p className="soft wrap">{rules.join('. ')}.</p>;
}

function Actions({ info, act }: { readonly info: KeyInfo; act(doing: KeyAction): void }) {
  const name = nameOf(info);
  const more = [
    ...(info.kind === 'secret' ? [{ name: 'IP addresses…', act: () => act({ what: 'restrict', key: info }) }] : []),
    ...(info.endsAt === null ? [{ name: 'Replace…', act: () => act({ what: 'replace', key: info }) }] : []),
    { name: 'Revoke…', isDanger: true, act: () => act({ what: 'revoke', key: info }) },
  ];
  return (
    <div className="button-row">
      <Button variant="quiet" aria-label={`Change ${name}`} onClick={() => act({ what: 'change', key: info })}>
        Change
      </Button>
      <MoreMenu label={`More actions for ${name}`} actions={more} />
    </div>
  );
}
