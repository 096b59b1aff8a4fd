import { useLingui } from '@lingui/react/macro';
import { useCallback, useRef } from 'react';
import type { VisibleItem } from '#questionnaire/visible-items.ts';
import type { Problem } from '#questionnaire/checking/problems.ts';
import { pageTitleOf, type Page } from '#questionnaire/pages.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { sectionsOf } from '#questionnaire/sections.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import { useConnection } from '#web/kit/connection.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import type { FilledForm, FormSession } from './filled-form.ts';
import { FormTop } from './form-top.tsx';
import css from './form.module.css';
import buttons from './ui/button.module.css';
import { ErrorMessage } from './ui/error-message.tsx';
import fields from './ui/field.module.css';
import footer from './ui/footer.module.css';
import message from './ui/message.module.css';
import { CheckIcon } from '#web/icons/check.tsx';
import { ChevronLeftIcon as BackIcon } from '#web/icons/chevron-left.tsx';
import { ChevronRightIcon as OnIcon } from '#web/icons/chevron-right.tsx';
import { Later } from './lazy-parts.ts';
import { ProblemMessage } from './problem-message.tsx';
import { Questions } from './questions.tsx';
import { useNextPage } from './use-next-page.ts';

interface FormStepProps {
  /** The family member, if there are several. */
  whose: string | undefined;
  filling: FilledForm;
  session: FormSession;
  page: Page;
  /** The pages with these answers. */
  pages: readonly Page[];
  onBack: () => void;
  onNext: () => void;
  /** Leaves a form that is a single page; undefined where it cannot be left. */
  onLeave: (() => void) | undefined;
}

/** One page of a form: its questions, and the way on once they are answered, or knowingly left for later. */
export function FormStep({ whose, filling, session, page, pages, onBack, onNext, onLeave }: FormStepProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { form, copiedFrom, questionnaire } = filling;
  const body = useRef<HTMLFormElement>(null);
  const isWholeForm = isOnePage(questionnaire, pages);
  const submit = () => void session.submit();
  const { next, shownProblems, otherProblem, isWaiting, isCalculating, isStopped } = useNextPage({
    filling,
    session,
    page,
    body,
    onNext: isWholeForm ? submit : onNext,
    isWholeForm,
  });
  const answer = useCallback(
    (place: VisibleItem, values: readonly Value[]) => session.answer(place, values),
    [session],
  );
  const later = () => {
    session.uploads.leavePage();
    if (isWholeForm) onLeave?.();
    else onNext();
  };
  const title = pageTitleOf(page, language);
  // The form's name heads one page without a title of its own; the others are numbered, as in the review.
  const isNamedByForm = title === '' && page === pages.find((one) => pageTitleOf(one, language) === '');
  const heading = isNamedByForm ? form.formName : title || t`Page ${pages.indexOf(page) + 1}`;
  const { count } = sectionsOf(questionnaire);
  const { section } = page;
  const earlier = form.earlier as { day: string; answers: Answers } | undefined;
  return (
    <form ref={body} className={css.form} noValidate onSubmit={next}>
      <FormTop
        id={page.id}
        title={heading}
        number={reachedStep(page, pages)}
        count={isWholeForm ? 1 : count + 1}
        formName={isNamedByForm ? '' : form.formName}
        whose={whose}
      >
        {count > 1 && <span>{t`Part ${section} of ${count}`}</span>}
      </FormTop>
      {copiedFrom !== null && page === pages[0] && (
        <Later part="notes" show={({ HouseholdNote }) => <HouseholdNote copiedFrom={copiedFrom} />} />
      )}
      {earlier && (
        <Later
          part="notes"
          show={({ EarlierNote }) => <EarlierNote page={page} answers={filling.answers} earlier={earlier} />}
        />
      )}
      <Questions
        page={page}
        answers={filling.answers}
        prefilled={filling.prefilled}
        problems={shownProblems}
        setting={filling.setting}
        onAnswer={answer}
        onChange={session.change}
      />
      <StepFooter
        filling={filling}
        isWaiting={isWaiting}
        isCalculating={isCalculating}
        isStopped={isStopped}
        isWholeForm={isWholeForm}
        otherProblem={otherProblem}
        onBack={onBack}
        onLater={isWholeForm && !onLeave ? undefined : later}
      />
    </form>
  );
}

/** Whether a form has a single page, which is submitted without a review: its answers are still in view. */
export function isOnePage(questionnaire: Questionnaire, pages: readonly Page[]): boolean {
  return pages.length === 1 && sectionsOf(questionnaire).count === 1;
}

/** How many sections the patient has reached, with the part of a long section that fills several pages. */
function reachedStep(page: Page, pages: readonly Page[]): number {
  const own = pages.filter(({ section }) => section === page.section);
  return page.section - 1 + (own.indexOf(page) + 1) / Math.max(own.length, 1);
}

interface StepFooterProps {
  filling: FilledForm;
  /** Next was pressed while a picture was on its way. */
  isWaiting: boolean;
  /** Next was pressed before the last answers were calculated. */
  isCalculating: boolean;
  /** Next found something wrong. */
  isStopped: boolean;
  /** The page is the whole form, and submits it. */
  isWholeForm: boolean;
  otherProblem: Problem | undefined;
  onBack: () => void;
  /** Goes on without what is missing, wrong or on its way. */
  onLater: (() => void) | undefined;
}

function StepFooter(props: StepFooterProps) {
  const { filling, isWaiting, isCalculating, isStopped, isWholeForm, otherProblem, onBack, onLater } = props;
  const { t } = useLingui();
  const { lost } = useConnection();
  const { errorMessage, isSaving, isSubmitting, isUncalculated } = filling;
  const status = () => {
    if (isSubmitting && lost)
      return t`No connection. We’ll send the form when you’re back online. You can leave this page open.`;
    if (isWaiting) {
      if (!lost) return t`Saving. We’ll continue when it’s done.`;
      return isWholeForm
        ? t`No connection. We’ll send the form when you’re back online. You can leave this page open.`
        : t`No connection. The next page opens as soon as your picture is sent.`;
    }
    if (isCalculating) return t`Calculating…`;
    if (isSaving) return lost ? t`Saved on this phone until you’re back online.` : t`Saving…`;
    return '';
  };
  return (
    <div className={footer.foot}>
      {isUncalculated && (
        <p
          role="status"
          className={message.blue}
        >{t`We couldn’t finish this form’s calculations on your phone. We’ll do them when you submit it.`}</p>
      )}
      {errorMessage !== null && <ErrorMessage>{errorMessage}</ErrorMessage>}
      {otherProblem && <ProblemMessage role="alert" problem={otherProblem} />}
      {isStopped && isWholeForm && <ErrorMessage>{t`Some answers are missing or need a correction.`}</ErrorMessage>}
      {onLater && (
        <button type="button" className={`${buttons.link} ${css.later}`} onClick={onLater}>
          {isWholeForm ? t`Finish this form later` : t`Answer this later`}
        </button>
      )}
      <div className={css.buttons}>
        <button type="button" className={buttons.plain} onClick={onBack}>
          <BackIcon />
          {t`Back`}
        </button>
        <button
          type="submit"
          className={buttons.main}
          aria-busy={isWaiting || isCalculating || isSubmitting || undefined}
        >
          {isWholeForm ? (isSubmitting ? t`Submitting…` : t`Submit`) : t`Next`}
          {!isWholeForm && <OnIcon />}
          {isWholeForm && !isSubmitting && <CheckIcon />}
        </button>
      </div>
      <p role="status" className={`${fields.hint} ${css.saving}`}>
        {status()}
      </p>
    </div>
  );
}
