import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { checkIn, type Arrival } from '#contract/patient.ts';
import { call } from '#web/kit/call.ts';
import { ArrivalDoor } from './arrival-door.tsx';
import { readyChime } from './chime.ts';
import { Frame } from './frame.tsx';
import { MessageIcon } from './icons.tsx';
import { Notice } from './notice.tsx';
import { OfficeUnknown } from './office-notices.tsx';
import { maskedPhone } from './phone-spelling.ts';
import { Loading } from './loading.tsx';
import { useFront, type Front } from './use-front.ts';

interface ArrivalPageProps {
  npi: string;
  /** What the server wrote into the page. */
  first: Front | null;
  /** There is no such office: the server said so already. */
  unknown: boolean;
  /** The visit made, or found running in this browser. */
  onVisit: (token: string) => void;
}

/** `/c/{npi}`: says "I'm here", or leads back to the visit that runs already. */
export function ArrivalPage({ npi, first, unknown, onVisit }: ArrivalPageProps) {
  const { t } = useLingui();
  const now = useFront(npi, first);
  const { front, failed } = now;
  const [textedTo, setTextedTo] = useState<string | null>(null);
  const running = front?.running?.token;

  useEffect(readyChime, []);
  useEffect(() => {
    if (running) onVisit(running);
  }, [running, onVisit]);

  const send = async (arrival: Arrival, idempotencyKey: string, signal: AbortSignal) => {
    const { token } = await call(checkIn, { params: { npi }, body: arrival }, { idempotencyKey, signal });
    if (token) onVisit(token);
    else setTextedTo(arrival.phone);
  };

  if (unknown || now.unknown) return <OfficeUnknown />;
  if (!front || running) return <Loading failed={failed} office={front?.office} />;
  if (textedTo !== null) {
    // Between isolates, or right-to-left text would turn the number around.
    const phone = `\u2066${maskedPhone(textedTo)}\u2069`;
    return (
      <Frame officeName={front.office.officeName} address={front.office.address}>
        <Notice icon={MessageIcon} tone="green" title={t`You are already checked in`} focus>
          <p>{t`We texted a link to your visit to ${phone}.`}</p>
          <p>{t`No text after a few minutes? Please tell the front desk.`}</p>
        </Notice>
      </Frame>
    );
  }
  return <ArrivalDoor office={front.office} withPhone send={send} />;
}
