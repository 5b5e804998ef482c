import { WarnIcon } from '../../../ui/icons.tsx';

/**
 * Shown when a private key was pasted. Prominent, because the money is at risk, and calm about what
 * to do.
 */
export function ExposedKey({ message }: { readonly message: string }) {
  return (
    <div className="problem exposed" role="alert">
      <WarnIcon />
      <div>
        <p>
          <strong>That was a secret. Consider it exposed.</strong>
        </p>
        <p>{message}</p>
        <ol>
          <li>Make a new wallet with a new recovery phrase.</li>
          <li>Send all coins from the old wallet to the new one, now.</li>
          <li>Come back with the extended public key of the new wallet.</li>
        </ol>
      </div>
    </div>
  );
}
