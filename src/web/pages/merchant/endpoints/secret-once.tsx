import { ShownOnce } from '../../../ui/shown-once.tsx';
import { Verification } from './verification.tsx';

interface SecretOnceProps {
  readonly secret: string;
  close(): void;
}

/** A signing secret, shown once, and how a receiver uses it. */
export function SecretOnce({ secret, close }: SecretOnceProps) {
  return (
    <ShownOnce title="The signing secret" label="the secret" value={secret} close={close}>
      <p>
        Every event is signed with it. Give it to your server, so that it can reject forged events; each endpoint has a
        secret of its own.
      </p>
      <details>
        <summary>How a server checks the signature</summary>
        <Verification />
      </details>
    </ShownOnce>
  );
}
