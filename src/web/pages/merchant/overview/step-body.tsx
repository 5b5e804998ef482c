import type { ReactNode } from 'react';
import type { Overview } from '../../../../http/console/merchant/overview/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import type { FirstStep } from './first-steps.ts';
import { SnippetTabs } from './snippet-tabs.tsx';
import { accountSnippets, paymentSnippets, receiverSnippets } from './snippets.ts';
import { TestPayment } from './test-payment.tsx';

interface StepBodyProps {
  readonly step: FirstStep;
  readonly overview: Overview;
  readonly isOwner: boolean;
}

/** What to do for a step, the link to it, and what developers need. */
export function StepBody({ step, overview, isOwner }: StepBodyProps) {
  const { apiUrl, firstRun } = overview;
  switch (step.id) {
    case 'wallet':
      return (
        <>
          <p>
            You need your own wallet, with its recovery phrase. You compare its first five addresses before it is used.
          </p>
          {isOwner ? (
            <StepLink step={step} href={hrefOf('wallets', {}, { add: 'any' })}>
              {step.state === 'done' ? 'Add another wallet' : 'Add a wallet'}
            </StepLink>
          ) : (
            <AskOwner what="add a wallet" />
          )}
        </>
      );
    case 'key':
      return (
        <>
          {isOwner ? (
            <StepLink step={step} href={hrefOf('keys', {})}>
              Go to API keys
            </StepLink>
          ) : (
            <AskOwner what="create an API key and share it with you securely" />
          )}
          <p>Choose the mode “Test” when you create it.</p>
          <ForProgrammers title="try the key with a minimal request">
            <SnippetTabs label="Try a key" snippets={accountSnippets(apiUrl)} />
          </ForProgrammers>
        </>
      );
    case 'endpoint':
      return (
        <>
          <p>
            {firstRun.hasEndpoint
              ? 'Your endpoint has not accepted an event yet (status 200 to 299). Open it and send a test event.'
              : 'Enter your server’s URL, then send a test event. The delivery log shows your server’s response.'}
          </p>
          {isOwner ? (
            <StepLink step={step} href={hrefOf('endpoints', {})}>
              Go to webhooks
            </StepLink>
          ) : (
            <AskOwner what="add the address of your server under Webhooks" />
          )}
          <p>Choose “test payments” when you add it, to try it without real money.</p>
          <ForProgrammers title="how a server handles an event">
            <SnippetTabs label="Receive events" snippets={receiverSnippets(apiUrl)} />
          </ForProgrammers>
        </>
      );
    case 'testPayment':
      return (
        <>
          <TestPayment overview={overview} />
          <ForProgrammers title="the same with an API request, as a shop does it">
            <SnippetTabs label="Create a payment" snippets={paymentSnippets(apiUrl)} />
          </ForProgrammers>
        </>
      );
    case 'contact':
      return (
        <>
          <p>An email address or a web page. Without one, customers cannot reach you from their payment page.</p>
          {isOwner ? (
            <StepLink step={step} href={hrefOf('settings', {})}>
              Go to settings
            </StepLink>
          ) : (
            <AskOwner what="set a support contact under Settings" />
          )}
        </>
      );
    case 'livePayment':
      return (
        <>
          <p>{whatIsMissing(overview)}</p>
          {!firstRun.hasWallet || firstRun.canBePaid ? null : (
            <StepLink step={step} href={hrefOf('wallets', {})}>
              Check your wallets
            </StepLink>
          )}
          {firstRun.hasLiveKey || !isOwner ? null : (
            <StepLink step={step} href={hrefOf('keys', {})}>
              Create a live key
            </StepLink>
          )}
        </>
      );
  }
}

// Helpers

interface StepLinkProps {
  readonly step: FirstStep;
  readonly href: string;
  readonly children: string;
}

/** The link to a step's page. Only that of the next step is highlighted. */
function StepLink({ step, href, children }: StepLinkProps) {
  return (
    <div className="button-row">
      <Link className={step.state === 'next' ? 'button button-main' : 'button'} href={href}>
        {children}
      </Link>
    </div>
  );
}

/** Collapsed: shop owners can complete every step without it. */
function ForProgrammers({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className="help">
      <summary>For developers: {title}</summary>
      {children}
    </details>
  );
}

function AskOwner({ what }: { readonly what: string }) {
  return (
    <p className="notice notice-info">
      <span>Only an owner of this account can do this. Ask one to {what}.</span>
    </p>
  );
}

function whatIsMissing({ firstRun: { hasWallet, canBePaid, hasLiveKey } }: Overview): string {
  if (!hasWallet) return 'Add a wallet first: without one, there is no address to pay to.';
  if (!canBePaid) return 'This service is not accepting live payments in the coins of your wallets right now.';
  if (!hasLiveKey) return 'Create a live key, replace the test key with it, and make one payment to your own shop.';
  return 'Everything is ready. Replace the test key with the live key, and make one payment to your own shop.';
}
