import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { arriveExpected, setPatientLanguage, type Arrival, type PatientVisit } from '#contract/patient.ts';
import { isHistory } from '#contract/queue.ts';
import { call, CallError } from '#web/kit/call.ts';
import { OfficeZone } from '#web/kit/format.tsx';
import type { Language } from '#web/kit/i18n.ts';
import { Announcer } from './announcer.tsx';
import { ArrivalDoor } from './arrival-door.tsx';
import { readyChime } from './chime.ts';
import { Frame } from './frame.tsx';
import { Loading } from './loading.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { useFront, type Front } from './use-front.ts';
import { useVisit } from './use-visit.ts';
import { VisitButtons } from './visit-buttons.tsx';
import { VisitFacts } from './visit-facts.tsx';
import { VisitMessages } from './visit-messages.tsx';
import { LinkEnded, VisitOver } from './visit-over.tsx';
import { VisitStatus } from './visit-status.tsx';

interface VisitPageProps {
  token: string;
  /** What the server wrote into the page. */
  first: PatientVisit | null;
  firstFront: Front | null;
  /** The link is known to have ended. */
  ended: boolean;
}

/** `/visit/{token}` and `/c/t/{token}`: the visit, live, until it is over. */
export function VisitPage({ token, first, firstFront, ended }: VisitPageProps) {
  const { t } = useLingui();
  const { visit, gone, taps, refused, following } = useVisit(token, first);
  const chooseLanguage = (language: Language) => {
    // The page already speaks it; the texts follow once the server has heard.
    void call(setPatientLanguage, { params: { token }, body: { language } }).then(following?.show, () => undefined);
  };
  useEffect(readyChime, []);

  if (gone || (ended && !visit)) return <LinkEnded />;
  if (!visit) return <Loading />;
  if (visit.statusCode === 'EXPECTED' && visit.isToday) {
    const arrive = async ({ phone: _, ...body }: Arrival, _key: string, signal: AbortSignal) => {
      const answer = await call(arriveExpected, { params: { token }, body }, { signal }).catch((error: unknown) => {
        // The first try came through, or the desk was faster: the visit as it is says all.
        if (error instanceof CallError && error.body.current) return error.body.current as PatientVisit;
        throw error;
      });
      following?.show(answer);
    };
    return <ExpectedPage npi={visit.npi} first={firstFront} arrive={arrive} />;
  }

  const isOver = isHistory(visit.statusCode) || !visit.isToday;
  const isCalled = !isOver && (visit.statusCode === 'INVITED' || visit.statusCode === 'REINVITED');
  return (
    <OfficeZone value={visit.timeZone}>
      <Frame
        officeName={visit.officeName}
        address={visit.address}
        tone={isCalled ? 'call' : 'calm'}
        onLanguage={chooseLanguage}
        foot={
          isOver ? undefined : <VisitButtons visit={visit} taps={taps} onTap={(action) => following?.act(action)} />
        }
      >
        <Announcer visit={visit} isCalled={isCalled} />
        <OfflineBar kept={isOver ? '' : t`Your place is kept.`} />
        {isOver ? <VisitOver visit={visit} /> : <VisitStatus visit={visit} refused={refused} />}
        <VisitMessages messages={visit.messages} />
        {!isOver && <VisitFacts visit={visit} />}
      </Frame>
    </OfficeZone>
  );
}

function ExpectedPage(given: {
  npi: string;
  first: Front | null;
  arrive: (arrival: Arrival, key: string, signal: AbortSignal) => Promise<void>;
}) {
  const { front, failed } = useFront(given.npi, given.first);
  if (!front) return <Loading failed={failed} />;
  return <ArrivalDoor office={front.office} withPhone={false} send={given.arrive} />;
}
