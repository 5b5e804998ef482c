import type { UnixMs } from '../../../../machines/index.ts';
import { mailSecurityChange } from '../../../accounts/index.ts';
import type { KeysDesk } from '../../../console/index.ts';
import { whileDatabaseAnswers } from '../../../db/index.ts';
import {
  actFor,
  allowAddresses,
  changeKey,
  createKey,
  createPlanBook,
  type KeySummary,
  listKeys,
  MAX_OVERLAP_MS,
  revokeKey,
  rotateKey,
} from '../../../merchants/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import { changeAs } from './change-as.ts';
import type { DeskDeps } from './deps.ts';

/** Ended keys stay visible for a while, to explain why a server is rejected. */
const MAX_ENDED_KEYS = 50;

export function bindKeys(
  { clock, create: { db }, plansEnabled }: DeskDeps,
  { watch }: Pick<OutageNotice, 'watch'>,
): KeysDesk {
  const deps = { db, clock };
  const plans = createPlanBook({ db, clock, plansEnabled });
  const termsOf = async (merchantId: string) => plans.termsOf((await actFor(db, { merchantId, mode: 'live' })).plan);
  return {
    list: ({ merchantId }) =>
      watch(async () => {
        const [all, terms] = await Promise.all([
          whileDatabaseAnswers(() => listKeys(db, merchantId)),
          termsOf(merchantId),
        ]);
        const now = clock.now();
        const keys = all.map((key) => toInfo(key, now));
        return {
          keys: keys.filter(({ works }) => works),
          ended: keys
            .filter(({ works }) => !works)
            .toSorted(byEnd)
            .slice(0, MAX_ENDED_KEYS),
          canTieToAddresses: terms.ipWhitelist,
          maxOverlapMs: MAX_OVERLAP_MS,
        };
      }),
    create: (member, wanted) =>
      watch(() =>
        changeAs(deps, member, async (change) => {
          const made = await createKey(change, { ...wanted, merchantId: member.merchantId });
          const facts = factsOf({ ...wanted, keyId: made.id });
          await mailSecurityChange(change, member, { subject: 'An API key was created', facts });
          return made;
        }),
      ),
    rotate: (member, keyId, { overlapMs }) =>
      watch(() =>
        changeAs(deps, member, async (change) => {
          const made = await rotateKey(change, { merchantId: member.merchantId, keyId, overlapMs });
          const facts = [...factsOf({ keyId }), ['New key', made.id]] as const;
          await mailSecurityChange(change, member, { subject: 'An API key was replaced', facts });
          return made;
        }),
      ),
    revoke: (member, keyId) =>
      watch(async () => {
        const { merchantId } = member;
        return {
          id: keyId,
          endedAt: await changeAs(deps, member, (change) => revokeKey(change, { merchantId, keyId })),
        };
      }),
    change: (member, keyId, { allowedCidrs, ...changes }) =>
      watch(async () => {
        const wanted = { merchantId: member.merchantId, keyId };
        const terms = await termsOf(member.merchantId);
        await changeAs(deps, member, async (change) => {
          if (Object.keys(changes).length > 0) await changeKey(change, wanted, changes);
          if (allowedCidrs === undefined) return;
          await allowAddresses(change, { ...wanted, terms, cidrs: allowedCidrs });
          const works = ['Works from', allowedCidrs.length === 0 ? 'any address' : allowedCidrs.join(', ')] as const;
          const facts = [...factsOf({ keyId }), works];
          await mailSecurityChange(change, member, { subject: 'The addresses of an API key were changed', facts });
        });
      }),
  };
}

// Helpers

function factsOf({ keyId, kind, mode }: { readonly keyId: string; readonly kind?: string; readonly mode?: string }) {
  const about = kind === undefined || mode === undefined ? [] : [['Kind', `${kind}, ${mode}`] as const];
  return [['Key', keyId] as const, ...about];
}

function toInfo(key: KeySummary, now: UnixMs) {
  return { ...key, works: key.endsAt === null || key.endsAt > now };
}

function byEnd(one: Pick<KeySummary, 'endsAt'>, other: Pick<KeySummary, 'endsAt'>): number {
  return (other.endsAt ?? 0) - (one.endsAt ?? 0);
}
