import { useState } from 'react';
import type { SignedIn } from '../../../http/console/session/schemas.ts';
import { useDisableTotp, useNewRecoveryCodes } from '../../api/account.ts';
import { toast } from '../../state/toasts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { BothFactorsForm } from './both-factors-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUpTotp } from './set-up-totp.tsx';

/** Suggest new recovery codes when only this many are left. */
const FEW_CODES = 3;

/** The authenticator app: set up, new recovery codes, turn off. */
export function TwoFactor({ user }: { readonly user: SignedIn }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} done={() => setCodes(null)} />;
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
          action="Make new codes"
          work={renew}
          send={renew.mutate}
        />
      </Card>
      <Card title="Turn off two-factor authentication" actions={<Badge tone="good">On</Badge>}>
        <BothFactorsForm
          about="You will sign in with your password only. Sessions stay signed in."
          action="Turn it off"
          isDangerous
          work={disable}
          send={(factors) => disable.mutate(factors, { onSuccess: () => toast('Two-factor authentication is off.') })}
        />
      </Card>
    </div>
  );
}
