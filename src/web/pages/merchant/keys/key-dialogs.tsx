import { useState } from 'react';
import type { KeyInfo, KeyKind, KeyList, ShownKey } from '../../../../http/console/merchant/keys/schemas.ts';
import { Snippet } from '../../../ui/snippet.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { ShownOnce } from '../../../ui/windows/shown-once.tsx';
import { ChangeKey, CreateKey } from './key-form.tsx';
import { ReplaceKey } from './replace-key.tsx';
import { RestrictKey } from './restrict-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

/** The action on a key that the user has started. */
export type KeyAction =
  | { readonly what: 'create' }
  | { readonly what: 'change' | 'restrict' | 'replace' | 'revoke'; readonly key: KeyInfo };

interface KeyDialogsProps {
  readonly doing: KeyAction | null;
  readonly list: KeyList;
  setDoing(doing: KeyAction | null): void;
}

/**
 * One dialog at a time. A new key is shown in a second one, which stays open until the key is
 * stored.
 */
export function KeyDialogs({ doing, list, setDoing }: KeyDialogsProps) {
  const [shown, setShown] = useState<(ShownKey & { readonly kind: KeyKind }) | null>(null);
  const close = () => setDoing(null);
  const show = (kind: KeyKind) => (made: ShownKey) => {
    close();
    setShown({ ...made, kind });
  };
  return (
    <>
      {doing === null ? null : (
        <Dialog title={TITLES[doing.what]} isOpen close={close}>
          {doing.what === 'create' ? <CreateKey show={(kind, made) => show(kind)(made)} close={close} /> : null}
          {doing.what === 'change' ? <ChangeKey info={doing.key} close={close} /> : null}
          {doing.what === 'restrict' ? (
            <RestrictKey info={doing.key} isInPlan={list.canTieToAddresses} close={close} />
          ) : null}
          {doing.what === 'replace' ? (
            <ReplaceKey info={doing.key} maxOverlapMs={list.maxOverlapMs} show={show(doing.key.kind)} close={close} />
          ) : null}
          {doing.what === 'revoke' ? <RevokeKey info={doing.key} close={close} /> : null}
        </Dialog>
      )}
      {shown === null ? null : (
        <ShownOnce title="Your new key" label="the key" value={shown.key} close={() => setShown(null)}>
          <p>{NEXT[shown.kind]}</p>
          {shown.kind === 'secret' ? null : (
            <Snippet label="the link">{`<a href="${location.origin}/v1/pay?pk=${shown.key}&amount=24.99&currency=EUR&crypto=BTC">Pay</a>`}</Snippet>
          )}
        </ShownOnce>
      )}
    </>
  );
}

// Helpers

const TITLES: Readonly<Record<KeyAction['what'], string>> = {
  create: 'Create a key',
  change: 'Change this key',
  restrict: 'Restrict to IP addresses',
  replace: 'Replace this key',
  revoke: 'Revoke this key',
};

const NEXT: Readonly<Record<KeyKind, string>> = {
  secret:
    'Add it to your shop’s settings, or to your server’s secrets. Never put it in a web page, an app or an email.',
  publishable: 'Use it in payment links on your website, like this one. It may be public.',
};
