import { type FormEvent, useState } from 'react';
import { useBeginTotp, useConfirmTotp } from '../../api/account.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Copy } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import { sayingOf } from '../../ui/problem.tsx';
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (begin.data === undefined) begin.mutate({ password });
    else confirm.mutate({ code: code.trim() });
  };
  if (begin.data === undefined) {
    return (
      <Card className="card-narrow">
        <form className="form form-narrow" onSubmit={submit}>
          <p className="soft">
            With an authenticator app, a stolen password alone opens nothing: signing in takes a code that changes every
            half minute.
          </p>
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            error={begin.error === null ? null : sayingOf(begin.error)}
            onChange={(event) => setPassword(event.target.value)}
          />
          <div className="button-row">
            <Button type="submit" look="main" isBusy={begin.isPending}>
              Set up an app
            </Button>
          </div>
        </form>
      </Card>
    );
  }
  return (
    <Card className="card-narrow">
      <form className="form set-up" onSubmit={submit}>
        <QrCode text={begin.data.uri} label="QR code for your authenticator app" />
        <div className="form">
          <p>
            <strong>1.</strong> Scan the code with your authenticator app, or type this into it:
          </p>
          <p className="wrap">
            <code>{begin.data.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
            <Copy text={begin.data.secret} label="the secret" />
          </p>
          <TextField
            label="2. Code the app shows"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            error={confirm.error === null ? null : sayingOf(confirm.error)}
            onChange={(event) => setCode(event.target.value)}
          />
          <div className="button-row">
            <Button type="submit" look="main" isBusy={confirm.isPending}>
              Turn it on
            </Button>
          </div>
        </div>
      </form>
    </Card>
  );
}
