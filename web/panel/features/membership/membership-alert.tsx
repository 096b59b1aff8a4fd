import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link, useLocation } from '@tanstack/react-router';
import { warningOf, type MembershipWarning } from '#contract/membership.ts';
import { useNow } from '#web/kit/clock.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { createStore, useStore } from '#web/kit/store.ts';
import { productName } from '#web/kit/title.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { buttonClass } from '#web/panel/ui/button.tsx';
import { dayOf } from '#web/kit/office-clock.ts';
import { useMembershipHints, useOfficeMembership } from './use-membership.ts';

/** The warning that somebody closed; another one is shown again. */
const closed = createStore<string | null>(null);

/** The alert bar of the dashboards: the plan ends or is paused, the trial ends without a card, or the card was declined. */
export function MembershipAlert() {
  const { t } = useLingui();
  const zone = useOfficeZone();
  const now = useNow();
  const { data } = useOfficeMembership();
  useMembershipHints();
  const isClosed = useStore(closed);
  const isHere = useLocation({ select: ({ pathname }) => pathname === '/payments' });
  const warning = data?.subscription ? warningOf(data.subscription, new Date(now), (at) => dayOf(at, zone)) : null;
  const name = warning && JSON.stringify(warning);
  if (!warning || isClosed === name || isHere) return null;
  return (
    <Banner
      tone={warning.kind === 'declined' || warning.kind === 'paused' ? 'red' : 'amber'}
      onClose={() => closed.set(name)}
      action={
        <Link to="/payments" className={buttonClass({ size: 's' })}>
          {t`Fix Issue`}
        </Link>
      }
    >
      <WarningText warning={warning} />
    </Banner>
  );
}

function WarningText({ warning }: { warning: MembershipWarning }) {
  if (warning.kind === 'declined')
    return <Trans>Your automatic payment method was declined. Visit Membership to re-activate.</Trans>;
  if (warning.kind === 'paused')
    return <Trans>Your {productName} plan is paused. Visit Membership to re-activate.</Trans>;
  const { days } = warning;
  if (warning.kind === 'trial-ends')
    return (
      <Trans>
        Your {productName} trial ends <Plural value={days} _0="today" one="in # day" other="in # days" />. Visit
        Membership to re-activate.
      </Trans>
    );
  return (
    <Trans>
      Your {productName} membership ends <Plural value={days} _0="today" one="in # day" other="in # days" />. Visit
      Membership to re-activate.
    </Trans>
  );
}
