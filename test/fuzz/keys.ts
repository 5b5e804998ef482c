import fc from 'fast-check';
import type { RequestDescription } from './operations.ts';

/** Names of keys for requests; null sends none, and an unknown name is sent literally. */
export function keysFor({
  security,
  path,
}: Pick<RequestDescription, 'security' | 'path'>): fc.Arbitrary<string | null> {
  const isForLiveKeys = path.startsWith('/webhooks/');
  switch (security) {
    case 'secretKey':
      return fc.oneof(
        { weight: isForLiveKeys ? 4 : 30, arbitrary: fc.constantFrom('ann.sk_test', 'bob.sk_test') },
        { weight: isForLiveKeys ? 38 : 12, arbitrary: fc.constantFrom('ann.sk_live', 'bob.sk_live') },
        {
          weight: 6,
          arbitrary: fc.constantFrom(
            'operator.sk_live',
            'lapsed.sk_live',
            ...(isForLiveKeys ? LIVE_OF_OTHERS : TEST_OF_OTHERS),
          ),
        },
        { weight: 6, arbitrary: WRONG },
      );
    case 'operatorToken':
      return fc.oneof({ weight: 4, arbitrary: fc.constant('operator token') }, { weight: 1, arbitrary: WRONG });
    case null:
      return fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: WRONG });
  }
}

// Helpers

const TEST_OF_OTHERS = ['operator.sk_test', 'lapsed.sk_test'];
const LIVE_OF_OTHERS = ['lapsed.sk_live'];

const WRONG = fc.constantFrom(
  null,
  'ann.pk_test',
  'bob.pk_live',
  'ann.revoked',
  'bob.elsewhere',
  'operator token',
  'sk_test_unknown',
  'sk_live_',
  'x',
);
