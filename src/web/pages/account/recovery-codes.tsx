import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  done(): void;
}

/** Shows the codes once: the server stores only their hashes. */
export function RecoveryCodes({ codes, done }: RecoveryCodesProps) {
  return (
    <Card
      className="card-narrow"
      title="Your recovery codes"
      actions={<Copy text={codes.join('\n')} label="all recovery codes" />}
    >
      <div className="form">
        <p className="notice">
          Keep them where your phone is not. They are shown this once; each replaces the authenticator app one time.
        </p>
        <ol className="codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div className="button-row">
          <Button look="main" onClick={done}>
            I have kept them
          </Button>
        </div>
      </div>
    </Card>
  );
}
