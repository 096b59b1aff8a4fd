import { useLingui } from '@lingui/react/macro';
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { isDeclined } from '#contract/membership.ts';
import { CloseIcon } from '#web/icons/close.tsx';
import { IconButton } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Invoices } from './invoices.tsx';
import { PaymentMethod } from './payment-method.tsx';
import { NotConnected, Plans } from './plans.tsx';
import { useMembershipPage, useOfficeMembership, type MembershipData } from './use-membership.ts';

/** `/payments`: the office's plan, the card that pays for it, and the invoices. */
export function MembershipPage() {
  const { t } = useLingui();
  const office = useOfficeMembership();
  const cardPage = office.data?.cardPage;
  const membership = useMembershipPage(typeof cardPage === 'string');
  const { data } = membership;
  const isCardFirst = useIsCardFirst(data);
  return (
    <Page title={t`Membership`} wide actions={<CloseButton />}>
      {cardPage === null && (
        <Card title={t`Membership Plans`}>
          <NotConnected />
        </Card>
      )}
      {data && cardPage && (
        <>
          {isCardFirst && <PaymentMethod membership={data} cardPage={cardPage} />}
          <Plans membership={data} />
          {!isCardFirst && <PaymentMethod membership={data} cardPage={cardPage} />}
          <Invoices membership={data} />
        </>
      )}
      {!data && cardPage !== null && membership.isPending && !office.isError && (
        <Card>
          <Skeleton width="40%" height={22} />
          <Skeleton height={240} />
        </Card>
      )}
      {!office.data && office.isError && <LoadError title={t`Your membership could not be loaded`} query={office} />}
      {!data && membership.isError && <LoadError title={t`Your membership could not be loaded`} query={membership} />}
    </Page>
  );
}

/** A card that is missing or was declined comes first, where the alert bar leads. It stays there once it is saved, so that nothing jumps. */
function useIsCardFirst(membership: MembershipData | undefined): boolean {
  const isNeeded =
    membership !== undefined &&
    ((membership.payment.number === null && membership.subscription.plan !== null) ||
      isDeclined(membership.subscription));
  const [wasNeeded, setWasNeeded] = useState(false);
  if (isNeeded && !wasNeeded) setWasNeeded(true);
  return isNeeded || wasNeeded;
}

/** Goes back to where the person came from. */
function CloseButton() {
  const { t } = useLingui();
  const router = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  const close = () => (canGoBack ? router.history.back() : void navigate({ to: '/' }));
  return <IconButton label={t`Close`} icon={CloseIcon} variant="subtle" tip="below-end" onClick={close} />;
}
