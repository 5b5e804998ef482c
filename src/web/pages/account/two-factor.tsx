import { useState } from 'react';
import type { BothFactorsBody, SignedIn } from '../../../http/console/session/schemas.ts';
import { useDisableTotp, useNewRecoveryCodes } from '../../api/account.ts';
import { toast } from '../../state/toasts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import { CodeField } from '../../ui/forms/code-field.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, type FormWork } from '../../ui/forms/form.tsx';
import { errorText } from '../../ui/problem.tsx';
import { SetUpTotp } from './set-up-totp.tsx';

/** Suggest new recovery codes when only this many are left. */
const FEW_CODES = 3;

/** The authenticator app: set up, new recovery codes, turn off. */
export function TwoFactor({ user }: { readonly user: SignedIn }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodesCard codes={codes} done={() => setCodes(null)} />;
  if (!user.hasTotp) return <SetUpTotp done={setCodes} />;
  return <TotpIsOn left={user.recoveryCodes} show={setCodes} />;
}

// Helpers

interface TotpIsOnProps {
  readonly left: number;
  show(codes: readonly string[]): void;
}

function TotpIsOn({ left, show }: TotpIsOnProps) {
  const renew = useNewRecoveryCodes(({ recoveryCodes }) => show(recoveryCodes));
  const disable = useDisableTotp();
  return (
    <div className="columns-2">
      <Card title="Recovery codes" actions={<Badge tone={left <= FEW_CODES ? 'warn' : 'good'}>{`${left} left`}</Badge>}>
        <BothFactorsForm
          about="Each recovery code replaces your authenticator app once. New codes invalidate the old ones."
          action="Generate new codes"
          work={renew}
          send={renew.mutate}
        />
      </Card>
      <Card title="Turn off two-factor authentication" actions={<Badge tone="good">On</Badge>}>
        <BothFactorsForm
          about="You will sign in with your password only. Your sessions stay signed in."
          action="Turn off"
          isDangerous
          work={disable}
          send={(factors) => disable.mutate(factors, { onSuccess: () => toast('Two-factor authentication is off.') })}
        />
      </Card>
    </div>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  done(): void;
}

/** Shows the codes once: the server stores only their hashes. */
function RecoveryCodesCard({ codes, done }: RecoveryCodesProps) {
  return (
    <Card
      className="card-narrow"
      title="Your recovery codes"
      actions={<Copy text={codes.join('\n')} label="all recovery codes" />}
    >
      <div className="form">
        <p className="notice">
          Store them away from your phone. They are shown only once. Each replaces the authenticator app once.
        </p>
        <ol className="codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div className="button-row">
          <Button variant="main" onClick={done}>
            I have stored them
          </Button>
        </div>
      </div>
    </Card>
  );
}

interface BothFactorsFormProps {
  readonly about: string;
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly work: FormWork;
  send(factors: BothFactorsBody): void;
}

/**
 * Changes of the second factor require password and code, so that an open session alone is not
 * enough.
 */
function BothFactorsForm({ about, action, isDangerous = false, work, send }: BothFactorsFormProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const submit = () => {
    send({ password, code: code.trim() });
    setCode('');
  };
  return (
    <Form
      work={work}
      action={action}
      variant={isDangerous ? 'danger' : 'main'}
      className="form-narrow"
      problem={null}
      submit={submit}
    >
      <p className="soft">{about}</p>
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <CodeField value={code} error={errorText(work.error)} change={setCode} />
    </Form>
  );
}
