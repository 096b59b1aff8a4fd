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
import { setLostPage, useLostPage } from './lost-page.ts';

/** What everyone at the desk must know: a lost connection first, then what this installation is not fit for. */
export function Banners() {
  const { t } = useLingui();
  const config = usePublicConfig();
  const [seen, setSeen] = useState(false);
  const names = { sms: t`text messages`, email: t`email`, push: t`pushes`, google: t`Google`, esign: t`signatures` };
  const local = (config?.localProviders ?? []).map((provider) => names[provider]);
  return (
    <section aria-label={t`Notices`}>
      <LostConnection />
      <LostPage />
      {config?.secureOrigin === false && (
        <Banner tone="red">{t`This address is not encrypted (http). Do not use it for patients' data.`}</Banner>
      )}
      <LimitedPractice />
      {local.length > 0 && !seen && (
        <Banner onClose={() => setSeen(true)}>
          {config?.demo ? (
            <Trans>
              Demo mode: nothing is really sent ({local.join(', ')}).{' '}
              <a href="/dev/outbox" target="_blank" rel="noreferrer">
                See the outbox
              </a>
            </Trans>
          ) : (
            <Trans>Not connected yet: {local.join(', ')}. Nothing is really sent through them.</Trans>
          )}
        </Banner>
      )}
    </section>
  );
}

/** The address that was opened does not exist: this is the start page instead. */
function LostPage() {
  const { t } = useLingui();
  if (!useLostPage()) return null;
  return (
    <Banner tone="amber" onClose={() => setLostPage(false)}>
      {t`We couldn't find that page. This is the start page.`}
    </Banner>
  );
}

/** A new practice cannot do everything yet: what, and how to change that, is on the page this leads to. */
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

/** Stays until the server is heard again, with the age of what is on screen. */
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
