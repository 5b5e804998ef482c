import { useState } from 'react';
import type { KeyInfo } from '../../../../http/console/merchant/keys/schemas.ts';
import { useChangeKey } from '../../../api/keys.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { AreaField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { hintOf } from './labels.ts';

interface RestrictKeyProps {
  readonly info: KeyInfo;
  /** Whether the merchant's plan includes it. */
  readonly isInPlan: boolean;
  close(): void;
}

/** Restricts a key to some IP addresses, so that a stolen key is useless elsewhere. */
export function RestrictKey({ info, isInPlan, close }: RestrictKeyProps) {
  const change = useChangeKey(info.id);
  const [text, setText] = useState(info.allowedCidrs.join('\n'));
  const cidrs = text.split(/[\s,]+/).filter((part) => part !== '');
  const submit = () =>
    change.mutate(
      { allowedCidrs: cidrs },
      toastAndClose(
        cidrs.length === 0 ? 'The key works from anywhere.' : 'The key works only from these addresses.',
        close,
      ),
    );
  return (
    <Form work={change} action="Save" isDisabled={!isInPlan && cidrs.length > 0} submit={submit} close={close}>
      <p>
        Requests with <code>{hintOf(info)}</code> from any other address are rejected. Update this list before your
        server’s address changes.
      </p>
      {isInPlan ? null : (
        <p className="notice notice-info">
          <span>
            Your plan cannot restrict keys to IP addresses; Professional and Enterprise can.{' '}
            <Link href={hrefOf('plan', {})}>View plans</Link>
          </span>
        </p>
      )}
      <AreaField
        label="IP addresses of your servers"
        hint="One per line, like 203.0.113.7, 203.0.113.0/24 or 2001:db8::/48. Leave empty to allow any address."
        rows={5}
        spellCheck={false}
        className="input mono"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Form>
  );
}
