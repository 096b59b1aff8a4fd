import { useEffect, useState } from 'react';
import { checkIn, forgetVisit, type Arrival } from '#contract/patient/check-in.ts';
import { call, CallError } from '#web/kit/call.ts';
import { CheckIn } from './check-in.tsx';
import { unlockChime } from '#web/phone/ui/chime.ts';
import { Frame } from '#web/phone/ui/frame.tsx';
import { LinkTexted, OfficeNotFound, prefetchLinkTexted, WelcomeBack } from './later-notices.tsx';
import type { LinkText } from './link-texted/link-texted.tsx';
import { hidePhoneDigits } from './phone-number.ts';
import { Loading } from '#web/phone/ui/loading.tsx';
import { useOfficeFront, type Front } from './use-office-front.ts';

interface CheckInPageProps {
  npi: string;
  /** What the server wrote into the page. */
  first: Front | null;
  /** The server wrote into the page that there is no such office. */
  unknown: boolean;
  /** The new visit, or the one that already runs in this browser. */
  onVisit: (token: string) => void;
}

/** `/c/{npi}`: says "I'm here", or leads back to the visit that runs already on this phone, if it is the same person's. */
export function CheckInPage({ npi, first, unknown, onVisit }: CheckInPageProps) {
  const now = useOfficeFront(npi, first);
  const { front, failed } = now;
  const [texted, setTexted] = useState<LinkText | null>(null);
  // "Somebody else" was chosen: ignore what the server still returns about the visit before.
  const [isSomebodyElse, setIsSomebodyElse] = useState(false);
  const [forgetError, setForgetError] = useState(false);
  const running = isSomebodyElse ? null : front?.running;

  useEffect(unlockChime, []);
  useEffect(() => void prefetchLinkTexted(), []);
  useEffect(() => {
    // The pressed button is gone: the next person starts at the top of the form.
    const heading = isSomebodyElse ? document.querySelector('h1') : null;
    heading?.setAttribute('tabindex', '-1');
    heading?.focus();
  }, [isSomebodyElse]);

  const send = async (arrival: Arrival, idempotencyKey: string, signal: AbortSignal) => {
    const { token, outcome } = await call(checkIn, { params: { npi }, body: arrival }, { idempotencyKey, signal });
    if (token) onVisit(token);
    else setTexted({ to: hidePhoneDigits(arrival.phone), failed: outcome === 'link-not-sent' });
  };

  if (unknown || now.unknown) return <OfficeNotFound />;
  if (!front) return <Loading failed={failed} />;
  if (running) {
    const forget = async () => {
      setForgetError(false);
      try {
        await call(forgetVisit, { params: { npi } });
        setIsSomebodyElse(true);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        setForgetError(true);
      }
    };
    return (
      <WelcomeBack
        office={front.office}
        initial={running.initial}
        failed={forgetError}
        onContinue={() => onVisit(running.token)}
        onSomebodyElse={() => void forget()}
      />
    );
  }
  if (texted) {
    const { officeName, address, officePhone } = front.office;
    return (
      <Frame officeName={officeName} address={address} officePhone={officePhone}>
        <LinkTexted {...texted} />
      </Frame>
    );
  }
  return <CheckIn office={front.office} withPhone send={send} />;
}
