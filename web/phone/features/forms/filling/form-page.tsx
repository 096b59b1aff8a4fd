import { useLingui } from '@lingui/react/macro';
import { useEffect, useMemo } from 'react';
import { pagesOf, type Page } from '#questionnaire/pages.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { whenIdle } from '#web/kit/when-idle.ts';
import { formAddress, type FormRoute, type NavigateToForm } from '#web/phone/features/forms/form-address.ts';
import type { FilledForm, FormSession } from '#web/questionnaire/filled-form.ts';
import { FormEnvironmentContext, type FormEnvironment } from '#web/questionnaire/form-context.ts';
import { FormStep } from '#web/questionnaire/form-step.tsx';
import css from '#web/questionnaire/form.module.css';
import { fetchLazyPart, fetchPartsFor, reloadOnceOnline, usePart } from '#web/questionnaire/lazy-parts.ts';
import { pictureAddress } from './picture-address.ts';
import { fetchEnding, useEnding } from './use-ending.ts';
import { useForm } from './use-form.ts';
import { LoadingBoxes } from '#web/phone/ui/loading.tsx';
import { useVisitForms } from '#web/phone/features/forms/use-visit-forms.ts';

interface FormPageProps {
  token: string;
  route: FormRoute;
  /** The office's day. */
  today: string;
  officeName: string;
  go: NavigateToForm;
}

/** `/visit/{token}/forms/{member}/{form}/{page}`: a form page by page, its review, and the confirmation once it is filed. */
export function FormPage({ token, route, today, officeName, go }: FormPageProps) {
  const { t } = useLingui();
  const { state, session } = useForm(token, route.memberId, route.formType, today);
  const members = useVisitForms(token)?.members ?? [];
  /** Shown only where the form could be somebody else's. */
  const memberName = members.length > 1 ? members.find(({ memberId }) => memberId === route.memberId)?.name : undefined;
  const filling = typeof state === 'object' ? state : null;
  const name = filling?.form.formName ?? t`Forms`;
  const position = positionIn(filling, route.step);
  const needsEnding = filling !== null && (filling.conflict !== null || filling.isDone);
  const rest = usePart(filling && (needsEnding || !position.page) ? 'rest' : null);
  const ending = useEnding(needsEnding);

  usePrefetchedParts(filling?.questionnaire, session);
  useEffect(() => {
    document.title = `${name} · ${officeName}`;
  }, [name, officeName]);
  useStepInAddress({ token, route, filling, session, position, go });

  if (state === 'gone') return <Gone />;
  if (!filling || !session) return <Waiting />;
  if (needsEnding) {
    if (!rest || !ending) return <Waiting />;
    return filling.conflict ? (
      <ending.Conflict filling={filling} session={session} />
    ) : (
      <ending.Done token={token} route={route} filling={filling} session={session} go={go} />
    );
  }
  return (
    <PageOrReview
      token={token}
      route={route}
      memberName={memberName}
      filling={filling}
      session={session}
      position={position}
      go={go}
    />
  );
}

/** Where in the form the patient is. */
interface Position {
  pages: readonly Page[];
  /** From 1. */
  number: number;
  /** Undefined on the review, and in a form without pages. */
  page: Page | undefined;
  isReview: boolean;
}

function positionIn(filling: FilledForm | null, step: string | null): Position {
  const pages = filling ? pagesOf(filling.questionnaire, filling.answers, filling.setting) : [];
  const number = Math.min(Math.max(Number(step) || 1, 1), Math.max(pages.length, 1));
  const isReview = step === 'review';
  return { pages, number, page: isReview ? undefined : pages[number - 1], isReview };
}

/** Fetches what the later pages need once the first one is on screen, so that losing the network stops nobody. */
function usePrefetchedParts(questionnaire: Questionnaire | undefined, session: FormSession | null): void {
  useEffect(() => {
    if (!questionnaire) return;
    const fetchMore = () => Promise.all([fetchLazyPart('rest'), fetchEnding(), fetchPartsFor(questionnaire)]);
    whenIdle()
      .then(fetchMore)
      .catch(() => reloadOnceOnline(session?.save));
  }, [questionnaire, session]);
}

interface PositionProps {
  token: string;
  route: FormRoute;
  filling: FilledForm;
  session: FormSession;
  position: Position;
  go: NavigateToForm;
}

interface StepInAddress extends Omit<PositionProps, 'filling' | 'session'> {
  filling: FilledForm | null;
  session: FormSession | null;
}

/** Keeps the address and the session at the same page. */
function useStepInAddress({ token, route, filling, session, position, go }: StepInAddress): void {
  const { memberId, formType, step } = route;
  const { pages, number, isReview } = position;
  const isDone = filling?.isDone;
  const isFilled = filling !== null && !isDone;
  const savedPage = filling && filling.form.version > 0 ? filling.form.page + 1 : 1;
  useEffect(() => {
    // A form opens where it was left; a filed form has no pages.
    if (isFilled && step === null) go(formAddress(token, { memberId, formType }, savedPage), { replace: true });
    if (isDone && step !== null) go(formAddress(token, { memberId, formType }), { replace: true });
  }, [isFilled, isDone, step, savedPage, token, memberId, formType, go]);
  useEffect(() => {
    if (isFilled && step !== null) session?.goToPage(isReview ? pages.length : number - 1);
  }, [isFilled, step, isReview, number, session, pages.length]);
}

interface PageOrReviewProps extends PositionProps {
  memberName: string | undefined;
}

const scrollToTop = () => window.scrollTo(0, 0);

function PageOrReview({ token, route, memberName, filling, session, position, go }: PageOrReviewProps) {
  const { pages, number, page } = position;
  const rest = usePart(page ? null : 'rest');
  const environment = useMemo(
    (): FormEnvironment => ({
      trackUpload: session.uploads.add,
      storePicture: async (...picture) =>
        (await import('#web/phone/features/forms/upload/upload.ts')).upload(token, ...picture),
      pictureUrl: (picture) => pictureAddress(token, picture),
      scrollToTop,
    }),
    [token, session],
  );
  const address = (step?: number | 'review') => formAddress(token, route, step);
  /** Uses the browser's history if the page before is there, so that its own Back button agrees. */
  const goBack = (to: string) => {
    if ((history.state as { from?: string } | null)?.from === to) history.back();
    else go(to, { replace: true });
  };
  if (!page && !rest) return <Waiting />;
  return (
    <FormEnvironmentContext value={environment}>
      {page ? (
        <FormStep
          key={page.id}
          whose={memberName}
          filling={filling}
          session={session}
          page={page}
          number={number}
          count={pages.length + 1}
          onBack={() => goBack(number === 1 ? `/visit/${token}` : address(number - 1))}
          onNext={() => go(number === pages.length ? address('review') : address(number + 1))}
        />
      ) : (
        rest && (
          <rest.Review
            whose={memberName}
            filling={filling}
            session={session}
            pages={pages}
            onPage={(to) => go(address(to))}
            onBack={() => goBack(address(Math.max(pages.length, 1)))}
          />
        )
      )}
    </FormEnvironmentContext>
  );
}

function Waiting() {
  const { t } = useLingui();
  return <LoadingBoxes message={t`One moment…`} />;
}

function Gone() {
  const { t } = useLingui();
  return (
    <div className={css.done}>
      <h1>{t`This form is not here`}</h1>
      <p>{t`The practice is not asking for it right now. What you already filled in is saved.`}</p>
    </div>
  );
}
