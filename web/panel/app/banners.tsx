import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useNow } from '#web/kit/clock.ts';
import { useConnection } from '#web/kit/connection.ts';
import { minutesSince } from '#web/kit/format.tsx';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { useSession } from '#web/kit/session.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { buttonClass } from '#web/panel/ui/button.tsx';
import { OfflineIcon } from '#web/icons/offline.tsx';
import { CardPaymentsNotice } from '#web/panel/features/merchant/card-payments-notice.tsx';
import { MembershipAlert } from '#web/panel/features/membership/membership-alert.tsx';
import { setPageNotFound, usePageNotFound } from './lost-page.ts';
import { NotConnected } from './not-connected.tsx';

/** Notices for everyone at the desk: a lost connection first, then the limits of this installation. */
export function Banners() {
  const { t } = useLingui();
  const config = usePublicConfig();
  return (
    <section aria-label={t`Notices`}>
      <LostConnection />
      <LostPage />
      {config?.secureOrigin === false && (
        <Banner tone="red">{t`This address is not encrypted (http). Do not use it for patients’ data.`}</Banner>
      )}
      <LimitedPractice />
      <MembershipAlert />
      <CardPaymentsNotice />
      {config?.demo === false && config.localProviders.length > 0 && <NotConnected providers={config.localProviders} />}
    </section>
  );
}

/** The opened address does not exist; the start page is shown instead. */
function LostPage() {
  const { t } = useLingui();
  if (!usePageNotFound()) return null;
  return (
    <Banner tone="amber" onClose={() => setPageNotFound(false)}>
      {t`We couldn’t find that page. This is the start page.`}
    </Banner>
  );
}

/** A new practice is limited until it is confirmed. The linked page says what is limited and how to get confirmed. */
function LimitedPractice() {
  const { t } = useLingui();
  const { office } = useSession();
  if (!office?.hellosignComplete || office.confirmed) return null;
  return (
    <Banner
      tone="amber"
      action={
        <Link to="/dashboard/settings/confirmation" className={buttonClass({ size: 's' })}>
          {t`Confirm your practice`}
        </Link>
      }
    >
      {t`Your practice is not confirmed yet. Texts and your own forms are limited.`}
    </Banner>
  );
}

const shownAfterMs = 2_000;

/** Shown until the server can be reached again, with the age of the data on screen. */
function LostConnection() {
  const { lost, heardAt } = useConnection();
  const [shown, setShown] = useState(false);
  const now = useNow();
  useEffect(() => {
    const timer = setTimeout(() => setShown(lost), lost ? shownAfterMs : 0);
    return () => clearTimeout(timer);
  }, [lost]);
  if (!shown) return null;
  const minutes = minutesSince(heardAt, now);
  return (
    <Banner tone="red" icon={OfflineIcon}>
      <Trans>
        Connection lost. What you see is{' '}
        <Plural value={minutes} _0="less than a minute" one="# minute" other="# minutes" /> old. Trying again…
      </Trans>
    </Banner>
  );
}
