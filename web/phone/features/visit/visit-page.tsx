import { useLingui } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import type { EndedLink } from '#contract/ended-link.ts';
import { asksWhoComes, setPatientLanguage, type PatientVisit } from '#contract/patient/visit.ts';
import { isHistory } from '#contract/queue.ts';
import { call } from '#web/kit/call.ts';
import { useConnection } from '#web/kit/connection.ts';
import { OfficeZone } from '#web/kit/format.tsx';
import { chosenLanguage, useLanguage, type Language } from '#web/kit/i18n.ts';
import { Announcer } from './announcer.tsx';
import type { Front } from '#web/phone/features/check-in/index.ts';
import { unlockChime } from '#web/phone/ui/chime.ts';
import { Frame } from '#web/phone/ui/frame.tsx';
import { later } from '#web/phone/ui/later.tsx';
import { Loading } from '#web/phone/ui/loading.tsx';
import { OfflineBar } from '#web/phone/ui/offline-bar.tsx';
import { hasUnsaved } from '#web/phone/ui/unsaved.ts';
import type { VisitFollower, VisitState } from './follow-visit.ts';
import { CalledBar } from './called-bar.tsx';
import { HiddenPayment, HiddenTexts, LinkEnded, StatusOnly, VisitOver } from './later-notices.tsx';
import { useNewMessage } from './use-new-message.ts';
import { useVisit } from './use-visit.ts';
import { VisitButtons } from './visit-buttons.tsx';
import { VisitFacts } from './visit-facts.tsx';
import { showMessages, VisitMessages } from './visit-messages.tsx';
import css from './visit-page.module.css';
import { VisitStatus } from './visit-status.tsx';

const ExpectedVisit = later(
  async () => {
    const expected = await import('./expected/expected-visit.tsx');
    return expected.ExpectedVisit;
  },
  <Loading />,
);

interface VisitPageProps {
  token: string;
  /** The visit that the server wrote into the page. */
  first: PatientVisit | null;
  firstFront: Front | null;
  /** The server wrote into the page that the link has ended, and whose it was if it ever opened a visit. */
  ended: boolean;
  endedLink: EndedLink | undefined;
  /** What the address shows in place of the visit's status: a form. */
  instead: ((visit: PatientVisit) => ReactNode) | null;
  /** What is shown at the end of the page: the requested forms. */
  below: ((visit: PatientVisit) => ReactNode) | undefined;
  /** The link to the next form to fill out; undefined until it is loaded. */
  toForms: ReactNode;
  onVisit: () => void;
  /** A texted link is in use elsewhere, so this page must forget the forms it fetched. */
  onStatusOnly: () => void;
}

/** `/visit/{token}` and `/c/t/{token}`: the visit, live, until it is over. */
export function VisitPage(props: VisitPageProps) {
  const { token, first, firstFront, ended, endedLink, instead, below, toForms, onVisit, onStatusOnly } = props;
  const { visit, gone, taps, refused, isDeskWriting, following, endedLink: nowEnded } = useVisit(token, first);
  const chooseLanguage = useVisitLanguage(token, visit, following);
  const { isNew, markRead } = useNewMessage(visit);
  const isStatusOnly = visit?.access === 'status';
  useEffect(unlockChime, []);
  useEffect(() => {
    if (isStatusOnly) onStatusOnly();
  }, [isStatusOnly, onStatusOnly]);

  if (gone || (ended && !visit)) return <LinkEnded link={nowEnded ?? endedLink} />;
  if (!visit) return <Loading />;
  if (asksWhoComes(visit))
    return <ExpectedVisit token={token} visit={visit} first={firstFront} onVisit={following?.show} />;
  return (
    <OfficeZone value={visit.timeZone}>
      {isNew && !(instead && isCalledIn(visit)) && (
        <NewMessageBar
          messageId={visit.messages.at(-1)?.id}
          onRead={markRead}
          onPress={() => {
            markRead();
            if (instead) onVisit();
            else showMessages();
          }}
        />
      )}
      {instead && !isStatusOnly ? (
        <FormBesideVisit visit={visit} onVisit={onVisit} onLanguage={chooseLanguage}>
          {instead(visit)}
        </FormBesideVisit>
      ) : (
        <StatusPage
          token={token}
          visit={visit}
          taps={taps}
          refused={refused}
          isDeskWriting={isDeskWriting}
          below={below?.(visit)}
          toForms={toForms}
          onTap={(action) => following?.act(action)}
          onShow={following?.show}
          onLanguage={chooseLanguage}
        />
      )}
    </OfficeZone>
  );
}

/** Tells the server which language the patient chose, because the texts are written in it. The page itself has switched already. */
function useVisitLanguage(token: string, visit: PatientVisit | null, following: VisitFollower | null) {
  const sent = useRef<Language>(undefined);
  const shown = useLanguage();
  const chooseLanguage = (language: Language) => {
    if (language === sent.current) return;
    sent.current = language;
    void call(setPatientLanguage, { params: { token }, body: { language } }).then(
      following?.show,
      () => (sent.current = undefined),
    );
  };
  const sendEarlyChoice = useEffectEvent(() => {
    const language = chosenLanguage();
    if (language && language !== visit?.language) chooseLanguage(language);
  });
  const mayChoose = visit !== null && visit.statusCode !== 'EXPECTED' && visit.access !== 'status';
  useEffect(() => {
    // It may have been chosen while this page was still loading: by a button of the page before, and whose texts came after this page.
    if (mayChoose) sendEarlyChoice();
  }, [mayChoose, shown]);
  return chooseLanguage;
}

const hasEnded = ({ statusCode, isToday }: PatientVisit) => isHistory(statusCode) || !isToday;
const isCalledIn = (visit: PatientVisit) =>
  !hasEnded(visit) && (visit.statusCode === 'INVITED' || visit.statusCode === 'REINVITED');

interface FormBesideVisitProps {
  visit: PatientVisit;
  onVisit: () => void;
  onLanguage: (language: Language) => void;
  children: ReactNode;
}

/** A form, with a bar on top once the practice calls the patient in. */
function FormBesideVisit({ visit, onVisit, onLanguage, children }: FormBesideVisitProps) {
  const { t } = useLingui();
  const { lost } = useConnection();
  const isCalled = isCalledIn(visit);
  return (
    <Frame officeName={visit.officeName} officePhone={visit.officePhone} onLanguage={onLanguage}>
      <Announcer visit={visit} isCalled={isCalled} />
      <OfflineBar kept={lost && hasUnsaved() ? t`Your answers are saved on this phone.` : ''} />
      {isCalled && <CalledBar visit={visit} onVisit={onVisit} />}
      {children}
    </Frame>
  );
}

const NewMessageBar = later(async () => (await import('./new-message-bar.tsx')).NewMessageBar);

const VisitPayments = later(
  async () => {
    const pay = await import('#web/phone/features/pay/index.ts');
    await pay.loadMessages();
    return pay.VisitPayments;
  },
  <div className={css.paymentSpace} />,
);

interface StatusPageProps extends Pick<VisitState, 'taps' | 'refused' | 'isDeskWriting'> {
  token: string;
  visit: PatientVisit;
  below: ReactNode;
  toForms: ReactNode;
  onTap: VisitFollower['act'];
  onShow: VisitFollower['show'] | undefined;
  onLanguage: (language: Language) => void;
}

/** A payment that is owed comes before the forms. It stays there once it is paid, so that the receipt appears where the card form was. */
function useIsPaymentFirst({ payment, hasHiddenPayment }: PatientVisit): boolean {
  const isOwed = hasHiddenPayment || (payment !== null && payment.paidAt === null && payment.state !== 'CANCELLED');
  const [wasOwed, setWasOwed] = useState(isOwed);
  if (isOwed && !wasOwed) setWasOwed(true);
  return wasOwed;
}

/** The visit's status, and what the patient can do. Parts that load later come last, so that nothing moves. */
function StatusPage(props: StatusPageProps) {
  const { token, visit, taps, refused, isDeskWriting, below, toForms, onTap, onShow, onLanguage } = props;
  const { t } = useLingui();
  const isOver = hasEnded(visit);
  const [wasOver] = useState(isOver);
  const isCalled = isCalledIn(visit);
  const isStatusOnly = visit.access === 'status';
  const isPaymentFirst = useIsPaymentFirst(visit);
  const payment = (
    <>
      {visit.payment && (
        <VisitPayments
          token={token}
          visit={visit}
          payment={visit.payment}
          onPayment={(paid) => onShow?.({ ...visit, payment: paid })}
        />
      )}
      {visit.hasHiddenPayment && !isStatusOnly && <HiddenPayment token={token} />}
    </>
  );
  const wantsForms = !isStatusOnly && (!visit.statusCode.endsWith('CANCELLED') || visit.endReason === 'seen');
  return (
    <Frame
      officeName={visit.officeName}
      address={visit.address}
      officePhone={visit.officePhone}
      tone={isCalled ? 'call' : 'calm'}
      onLanguage={onLanguage}
      foot={
        isOver || isStatusOnly ? undefined : (
          // Another state has other buttons: what was open in the one before is closed.
          <VisitButtons key={visit.statusCode} visit={visit} taps={taps} toForms={toForms} onTap={onTap} />
        )
      }
    >
      <Announcer visit={visit} isCalled={isCalled} />
      <OfflineBar kept={isOver ? '' : t`Your place is kept.`} />
      {isOver ? <VisitOver visit={visit} isNews={!wasOver} /> : <VisitStatus visit={visit} refused={refused} />}
      <VisitMessages
        token={token}
        visit={visit}
        isDeskWriting={isDeskWriting}
        onVisit={(written) => onShow?.(written)}
      />
      {!isOver && visit.access === 'own' && visit.hasHiddenTexts && <HiddenTexts token={token} />}
      {!isOver && isStatusOnly && <StatusOnly token={token} hasHiddenTexts={visit.hasHiddenTexts} />}
      {isPaymentFirst && payment}
      {!isOver && <VisitFacts visit={visit} />}
      {wantsForms && below}
      {!isPaymentFirst && payment}
    </Frame>
  );
}
