import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { forgetPatients, sessionQuery, useSession, type Session } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { LockIcon } from '#web/icons/lock.tsx';
import css from './form.module.css';
import { FrontPage, type FrontPageFrame } from './front-page.tsx';
import { ConfirmIdentity } from './confirm-identity.tsx';
import { quickUnlockFor, QuickUnlockOffer, type QuickUnlock } from './quick-unlock-offer.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** Storage key: unlocking one tab makes the session's other tabs refetch it. */
const unlockedElsewhere = 'anteroom.unlocked';

interface LockScreenProps extends FrontPageFrame {
  arrivals: ReactNode;
  /** The session is unlocked, but a question comes first: the panel must not appear by itself meanwhile. */
  onOffer: () => void;
}

function tellOtherTabs(): void {
  localStorage.setItem(unlockedElsewhere, String(Date.now()));
}

/**
 * Replaces the panel while it is locked, and between the two steps of signing in. No patient data stays in memory behind it; the
 * session continues once the person has confirmed their identity.
 */
export function LockScreen({ arrivals, onOffer, ...frame }: LockScreenProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { person, office, unlockBy, waiting } = useSession();
  /** The unlocked session, while a passkey or a PIN is offered. */
  const [offer, setOffer] = useState<QuickUnlock & { session: Session }>();
  const heading = useRef<HTMLHeadingElement>(null);
  const secondStep = unlockBy.length > 0 && !unlockBy.includes('code');
  const title = secondStep ? t`One more step` : t`Locked`;
  useTitle(title);
  useEffect(() => {
    forgetPatients(cache);
    heading.current?.focus();
  }, [cache]);

  useEffect(() => {
    const look = (event: StorageEvent) => {
      if (event.key === unlockedElsewhere) void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    };
    addEventListener('storage', look);
    return () => removeEventListener('storage', look);
  }, [cache]);

  const goOn = (session: Session) => {
    cache.setQueryData(sessionQuery.queryKey, session);
    tellOtherTabs();
  };
  const name = <strong>{person?.name}</strong>;
  const onProved = async (session: Session) => {
    // With an authenticator a code does not prove enough to add a passkey or a PIN.
    const isQuick = unlockBy.some((way) => way !== 'code');
    const quickUnlock = isQuick ? null : await quickUnlockFor(session);
    if (!quickUnlock) return goOn(session);
    setOffer({ ...quickUnlock, session });
    onOffer();
  };
  if (offer)
    return (
      <FrontPage {...frame}>
        <QuickUnlockOffer
          {...offer}
          onDone={() => void cache.invalidateQueries({ queryKey: sessionQuery.queryKey }).then(tellOtherTabs)}
        />
      </FrontPage>
    );

  return (
    <FrontPage {...frame}>
      <h1 ref={heading} tabIndex={-1} className={css.locked}>
        <LockIcon size={24} />
        {title}
      </h1>
      <p>
        {office?.officeName}
        <br />
        <Trans>Signed in as {name}</Trans>
      </p>
      {waiting !== null && waiting > 0 && (
        <p>{t`${plural(waiting, { one: '# patient is waiting', other: '# patients are waiting' })}`}</p>
      )}
      <p role="status" className={css.arrivals}>
        {arrivals}
      </p>
      <p className={css.lead}>
        {secondStep ? t`Your account asks for a second step.` : t`Verify it’s you to pick up where you left off.`}
      </p>
      <ConfirmIdentity ways={unlockBy} onProved={(session) => void onProved(session)} />
      <SignOutButton />
    </FrontPage>
  );
}
