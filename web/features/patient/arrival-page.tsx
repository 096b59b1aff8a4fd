import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { checkIn, forgetVisit, type Arrival } from '#contract/patient.ts';
import { call, CallError } from '#web/kit/call.ts';
import { ArrivalDoor } from './arrival-door.tsx';
import { readyChime } from './chime.ts';
import { Frame } from './frame.tsx';
import { MessageIcon } from './icons.tsx';
import { Notice } from './notice.tsx';
import { OfficeUnknown } from './office-notices.tsx';
import { maskedPhone } from './phone-spelling.ts';
import { Loading } from './loading.tsx';
import { useFront, type Front } from './use-front.ts';
import { WelcomeBack } from './welcome-back.tsx';

interface ArrivalPageProps {
  npi: string;
  /** What the server wrote into the page. */
  first: Front | null;
  /** There is no such office: the server said so already. */
  unknown: boolean;
  /** The visit made, or found running in this browser. */
  onVisit: (token: string) => void;
}

/** `/c/{npi}`: says "I'm here", or leads back to the visit that runs already on this phone, if it is the same person's. */
export function ArrivalPage({ npi, first, unknown, onVisit }: ArrivalPageProps) {
  const { t } = useLingui();
  const now = useFront(npi, first);
  const { front, failed } = now;
  const [textedTo, setTextedTo] = useState<string | null>(null);
  // "Somebody else": from now on this page is theirs, whatever the server still says of the visit before.
  const [isSomebodyElse, setIsSomebodyElse] = useState(false);
  const [forgetError, setForgetError] = useState(false);
  const running = isSomebodyElse ? null : front?.running;

  useEffect(readyChime, []);

  const send = async (arrival: Arrival, idempotencyKey: string, signal: AbortSignal) => {
    const { token } = await call(checkIn, { params: { npi }, body: arrival }, { idempotencyKey, signal });
    if (token) onVisit(token);
    else setTextedTo(arrival.phone);
  };

  if (unknown || now.unknown) return <OfficeUnknown />;
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
  if (textedTo !== null) {
    // Between isolates, or right-to-left text would turn the number around.
    const phone = `\u2066${maskedPhone(textedTo)}\u2069`;
    return (
      <Frame officeName={front.office.officeName} address={front.office.address}>
        <Notice icon={MessageIcon} tone="green" title={t`Check your text messages`} focus>
          <p>{t`This number already has a visit today. We texted its link to ${phone}. Please open it there.`}</p>
          <p>{t`No text after a few minutes? Please tell the front desk.`}</p>
        </Notice>
      </Frame>
    );
  }
  return <ArrivalDoor office={front.office} withPhone send={send} />;
}
