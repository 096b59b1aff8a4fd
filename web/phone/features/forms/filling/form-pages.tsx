import { useLingui } from '@lingui/react/macro';
import { useEffect, useMemo, type ReactNode } from 'react';
import { isKnownPage } from '#questionnaire/known/known-pages.ts';
import { pagesOf, type Page } from '#questionnaire/pages.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Answers } from '#questionnaire/values.ts';
import { whenIdle } from '#web/kit/when-idle.ts';
import type { NavigateToForm } from '#web/phone/features/forms/form-address.ts';
import type { FilledForm, FormSession } from '#web/questionnaire/filled-form.ts';
import { FormEnvironmentContext, type FormEnvironment } from '#web/questionnaire/form-context.ts';
import { FormStep, isOnePage } from '#web/questionnaire/form-step.tsx';
import { fetchLazyPart, fetchPartsFor, reloadOnceOnline, usePart } from '#web/questionnaire/lazy-parts.ts';
import { LoadingBoxes } from '#web/phone/ui/loading.tsx';
import type { FormCalls } from './session-context.ts';
import { fetchEnding, useEnding } from './use-ending.ts';
import { useForm } from './use-form.ts';

interface FormPagesProps {
  /** The address of the form; of a page of it with the page's number behind it, or `review`. */
  address: string;
  /** The page, or `review`; null for the beginning. */
  step: string | null;
  /** Where Back leads from the first page. */
  home: string;
  callsOf: () => FormCalls;
  /** The office's day. */
  today: string;
  /** The office's. */
  timeZone: string;
  /** The window's title, once the form has a name. */
  titleOf: (formName: string | undefined) => string;
  /** The family member, where the form could be somebody else's. */
  whose: string | undefined;
  /** How pictures are stored and shown; the same object on each render. */
  pictures: Pick<FormEnvironment, 'storePicture' | 'pictureUrl'>;
  go: NavigateToForm;
  /** What is shown when the form cannot be filled in. */
  gone: ReactNode;
  /** What is shown once the form is filed. */
  done: (form: { filling: FilledForm; session: FormSession; ending: Ending }) => ReactNode;
}

type Ending = NonNullable<ReturnType<typeof useEnding>>;

/** A form page by page, its review, the choice between two phones' answers, and what follows once it is filed. */
export function FormPages(props: FormPagesProps) {
  const { address, step, callsOf, today, timeZone, titleOf, go, gone, done } = props;
  const { state, session } = useForm(address, callsOf, { today, timeZone });
  const filling = typeof state === 'object' ? state : null;
  const title = titleOf(filling?.form.formName);
  const position = positionIn(filling, step);
  const needsEnding = filling !== null && (filling.conflict !== null || filling.isDone);
  const rest = usePart(filling && (needsEnding || !position.page) ? 'rest' : null);
  const ending = useEnding(needsEnding);

  usePrefetchedParts(filling?.questionnaire, session);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useStepInAddress({ address, step, filling, session, position, go });

  if (state === 'gone') return gone;
  if (!filling || !session) return <Waiting />;
  if (needsEnding) {
    if (!rest || !ending) return <Waiting />;
    return filling.conflict ? (
      <ending.Conflict filling={filling} session={session} />
    ) : (
      done({ filling, session, ending })
    );
  }
  return <PageOrReview {...props} filling={filling} session={session} position={position} />;
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
  const isReview = step === 'review' && !(filling && isOnePage(filling.questionnaire, pages));
  return { pages, number, page: isReview ? undefined : pages[number - 1], isReview };
}

/** The page after this one on which something is left to ask, or the review. */
function nextStep(filling: FilledForm | null, pages: readonly Page[], number: number): number | 'review' {
  if (!filling) return 1;
  if (isOnePage(filling.questionnaire, pages)) return 1;
  const next = pages.findIndex((page, i) => i >= number && !isKnown(filling, page));
  return next < 0 ? 'review' : next + 1;
}

/** Where Back leads from the review: the last page on which something was asked; 0 if all was known. */
const lastStep = (filling: FilledForm, pages: readonly Page[]) =>
  pages.length === 0 ? 1 : pages.map((page) => isKnown(filling, page)).lastIndexOf(false) + 1;

function isKnown({ form, answers }: FilledForm, page: Page): boolean {
  return form.earlier !== undefined && isKnownPage(page, answers, form.earlier.answers as Answers);
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

interface StepInAddress extends Pick<FormPagesProps, 'address' | 'step' | 'go'> {
  filling: FilledForm | null;
  session: FormSession | null;
  position: Position;
}

/** Keeps the address and the session at the same page. */
function useStepInAddress({ address, step, filling, session, position, go }: StepInAddress): void {
  const { pages, number, isReview } = position;
  const isDone = filling?.isDone;
  const isFilled = filling !== null && !isDone;
  const first = filling && filling.form.version > 0 ? filling.form.page + 1 : nextStep(filling, pages, 0);
  useEffect(() => {
    // A form opens where it was left; a filed form has no pages.
    if (isFilled && step === null) go(`${address}/${first}`, { replace: true });
    if (isDone && step !== null) go(address, { replace: true });
  }, [isFilled, isDone, step, first, address, go]);
  useEffect(() => {
    if (isFilled && step !== null) session?.goToPage(isReview ? pages.length : number - 1);
  }, [isFilled, step, isReview, number, session, pages.length]);
}

interface PageOrReviewProps extends Pick<FormPagesProps, 'address' | 'home' | 'whose' | 'pictures' | 'go'> {
  filling: FilledForm;
  session: FormSession;
  position: Position;
}

const scrollToTop = () => window.scrollTo(0, 0);

function PageOrReview({ address, home, whose, pictures, filling, session, position, go }: PageOrReviewProps) {
  const { pages, number, page } = position;
  const rest = usePart(page ? null : 'rest');
  const environment = useMemo(
    (): FormEnvironment => ({ ...pictures, trackUpload: session.uploads.add, scrollToTop }),
    [pictures, session],
  );
  /** Uses the browser's history if the page before is there, so that its own Back button agrees. */
  const goBack = (to: string) => {
    if ((history.state as { from?: string } | null)?.from === to) history.back();
    else go(to, { replace: true });
  };
  if (!page && !rest) return <Waiting />;
  const last = lastStep(filling, pages);
  return (
    <FormEnvironmentContext value={environment}>
      {page ? (
        <FormStep
          key={page.id}
          whose={whose}
          filling={filling}
          session={session}
          page={page}
          pages={pages}
          onBack={() => goBack(number === 1 ? home : `${address}/${number - 1}`)}
          onNext={() => go(`${address}/${nextStep(filling, pages, number)}`)}
          onLeave={() => go(home)}
        />
      ) : (
        rest && (
          <rest.Review
            whose={whose}
            filling={filling}
            session={session}
            pages={pages}
            onPage={(to) => go(`${address}/${to}`)}
            onBack={() => goBack(last === 0 ? home : `${address}/${last}`)}
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
