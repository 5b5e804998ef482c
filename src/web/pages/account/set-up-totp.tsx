import { useState } from 'react';
import { useBeginTotp, useConfirmTotp } from '../../api/account.ts';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { errorText } from '../../ui/problem.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

interface SetUpTotpProps {
  /** Called with the recovery codes after a correct code of the app. */
  done(codes: readonly string[]): void;
}

/**
 * Password, then scan, then one code: the app is enabled only after a code proves that it works.
 */
export function SetUpTotp({ done }: SetUpTotpProps) {
  const begin = useBeginTotp();
  const confirm = useConfirmTotp(({ recoveryCodes }) => done(recoveryCodes));
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  if (begin.data === undefined) {
    return (
      <Card className="card-narrow">
        <Form
          work={begin}
          action="Set up an app"
          className="form-narrow"
          problem={null}
          submit={() => begin.mutate({ password })}
        >
          <p className="soft">
            With an authenticator app, a stolen password is not enough to sign in: a code that changes every 30 seconds
            is also required.
          </p>
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            error={errorText(begin.error)}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Form>
      </Card>
    );
  }
  return (
    <Card className="card-narrow">
      <div className="form set-up">
        <QrCode text={begin.data.uri} label="QR code for your authenticator app" />
        <Form work={confirm} action="Turn on" problem={null} submit={() => confirm.mutate({ code: code.trim() })}>
          <p>
            <strong>1.</strong> Scan the code with your authenticator app, or enter this secret:
          </p>
          <p className="wrap">
            <code>{begin.data.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
            <Copy text={begin.data.secret} label="the secret" />
          </p>
          <TextField
            label="2. Code shown in the app"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            error={errorText(confirm.error)}
            onChange={(event) => setCode(event.target.value)}
          />
        </Form>
      </div>
    </Card>
  );
}
