import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { arriveExpected, setPatientLanguage, type Arrival, type PatientVisit } from '#contract/patient.ts';
import { isHistory } from '#contract/queue.ts';
import { call, CallError } from '#web/kit/call.ts';
import { OfficeZone } from '#web/kit/format.tsx';
import { chosenLanguage, type Language } from '#web/kit/i18n.ts';
import { Announcer } from './announcer.tsx';
import { CheckIn, useOfficeFront, type Front } from '#web/phone/features/check-in/index.ts';
import { CalledBar } from './called-bar.tsx';
import { unlockChime } from '#web/phone/ui/chime.ts';
import { Frame } from '#web/phone/ui/frame.tsx';
import { Loading } from '#web/phone/ui/loading.tsx';
import { OfflineBar } from '#web/phone/ui/offline-bar.tsx';
import { useVisit } from './use-visit.ts';
import { VisitButtons } from './visit-buttons.tsx';
import { VisitFacts } from './visit-facts.tsx';
import { VisitMessages } from './visit-messages.tsx';
import { LinkEnded, VisitOver } from './visit-over.tsx';
import { HiddenTexts, StatusOnly } from './status-only.tsx';
import { VisitStatus } from './visit-status.tsx';

interface VisitPageProps {
  token: string;
  /** What the server wrote into the page. */
  first: PatientVisit | null;
  firstFront: Front | null;
  /** The link is known to have ended. */
  ended: boolean;
  /** What the address shows instead of how the visit stands: a form. */
  instead: ((visit: PatientVisit) => ReactNode) | null;
  /** What stands below how the visit stands: which forms are asked for. */
  below: ReactNode;
  onVisit: () => void;
  /** A texted link is in use: what this page fetched of the visit's entries is to be forgotten. */
  onStatusOnly: () => void;
}

/** `/visit/{token}` and `/c/t/{token}`: the visit, live, until it is over. */
export function VisitPage({ token, first, firstFront, ended, instead, below, onVisit, onStatusOnly }: VisitPageProps) {
  const { t } = useLingui();
  const { visit, gone, taps, refused, following } = useVisit(token, first);
  const chooseLanguage = (language: Language) => {
    // The page already speaks it; the texts follow once the server has heard.
    void call(setPatientLanguage, { params: { token }, body: { language } }).then(following?.show, () => undefined);
  };
  const tellEarlyChoice = useEffectEvent(() => {
    const early = chosenLanguage();
    if (early && early !== visit?.language) chooseLanguage(early);
  });
  // Chosen while this page was on its way: the server has not heard of it.
  const isHere = visit !== null && visit.statusCode !== 'EXPECTED' && visit.access !== 'status';
  useEffect(() => {
    if (isHere) tellEarlyChoice();
  }, [isHere]);
  useEffect(unlockChime, []);
  const access = visit?.access;
  useEffect(() => {
    if (access === 'status') onStatusOnly();
  }, [access, onStatusOnly]);

  if (gone || (ended && !visit)) return <LinkEnded />;
  if (!visit) return <Loading />;
  if (visit.statusCode === 'EXPECTED' && visit.isToday && visit.access === 'all') {
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
  const showsStatusOnly = visit.access === 'status';
  if (instead && !showsStatusOnly)
    return (
      <OfficeZone value={visit.timeZone}>
        <Frame officeName={visit.officeName} address="" onLanguage={chooseLanguage}>
          <Announcer visit={visit} isCalled={isCalled} />
          <OfflineBar kept={t`What you entered is kept.`} />
          {isCalled && <CalledBar visit={visit} onVisit={onVisit} />}
          {instead(visit)}
        </Frame>
      </OfficeZone>
    );
  const wantsForms = !visit.statusCode.endsWith('CANCELLED') || visit.endReason === 'seen';
  return (
    <OfficeZone value={visit.timeZone}>
      <Frame
        officeName={visit.officeName}
        address={visit.address}
        tone={isCalled ? 'call' : 'calm'}
        onLanguage={chooseLanguage}
        foot={
          isOver || showsStatusOnly ? undefined : (
            <VisitButtons visit={visit} taps={taps} onTap={(action) => following?.act(action)} />
          )
        }
      >
        <Announcer visit={visit} isCalled={isCalled} />
        <OfflineBar kept={isOver ? '' : t`Your place is kept.`} />
        {isOver ? <VisitOver visit={visit} /> : <VisitStatus visit={visit} refused={refused} />}
        {!isOver && visit.access === 'own' && <HiddenTexts token={token} hasHiddenTexts={visit.hasHiddenTexts} />}
        {showsStatusOnly
          ? !isOver && <StatusOnly token={token} hasHiddenTexts={visit.hasHiddenTexts} />
          : wantsForms && below}
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
  const { front, failed } = useOfficeFront(given.npi, given.first);
  if (!front) return <Loading failed={failed} />;
  return <CheckIn office={front.office} withPhone={false} send={given.arrive} />;
}
