import { useLingui } from '@lingui/react/macro';
import { visibleItems } from '#questionnaire/visible-items.ts';
import { fromEarlier } from '#questionnaire/known/known-pages.ts';
import type { Answers } from '#questionnaire/values.ts';
import { canBeAnswered } from '#questionnaire/form-item.ts';
import { pageTitleOf, type Page } from '#questionnaire/pages.ts';
import { problemMessage } from '#questionnaire/checking/problem-messages.ts';
import { problemsOf, warningsIn, type Problem } from '#questionnaire/checking/problems.ts';
import { sectionsOf } from '#questionnaire/sections.ts';
import { useConnection } from '#web/kit/connection.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import type { FilledForm, FormSession } from '#web/questionnaire/filled-form.ts';
import { firstProblems } from '#web/questionnaire/first-problems.ts';
import { FormTop } from '#web/questionnaire/form-top.tsx';
import css from '#web/questionnaire/form.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import fields from '#web/questionnaire/ui/field.module.css';
import footer from '#web/questionnaire/ui/footer.module.css';
import { ChevronLeftIcon as BackIcon } from '#web/icons/chevron-left.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { PageAnswers } from './page-answers.tsx';

interface ReviewProps {
  /** The family member, if there are several. */
  whose: string | undefined;
  filling: FilledForm;
  session: FormSession;
  pages: readonly Page[];
  /** From 1. */
  onPage: (number: number) => void;
  onBack: () => void;
}

/** All answers on one screen, before the form is submitted. */
export function Review({ whose, filling, session, pages, onPage, onBack }: ReviewProps) {
  const { t } = useLingui();
  const { form, questionnaire, answers, setting } = filling;
  const missing = problemsOf(questionnaire, answers, setting);
  const problems = firstProblems(missing.length > 0 ? missing : filling.problems);
  const shown = new Map([...firstProblems(warningsIn(setting)), ...problems]);
  const visibleIds = new Set(visibleItems(questionnaire, answers, setting).map(({ id }) => id));
  const isOpen = (page: Page) => page.items.some(({ key }) => problems.has(key));
  const firstOpen = Math.max(pages.findIndex(isOpen), 0) + 1;
  const last = sectionsOf(questionnaire).count + 1;
  const titles = useTitles(pages);
  const earlier = form.earlier;
  const from = pages.map((page) => (earlier ? fromEarlier(page, answers, earlier.answers as Answers) : 'none'));
  const isConfirmed = from.some((one) => one !== 'none');
  return (
    <div className={css.form}>
      <FormTop
        id="review"
        title={isConfirmed ? t`Is this still right?` : t`Review your answers`}
        number={last}
        count={last}
        formName={form.formName}
        whose={whose}
      />
      {pages.map((page, i) => (
        <PageAnswers
          key={page.id}
          id={`page-${i}`}
          title={titles[i] ?? ''}
          isOpen={isOpen(page)}
          page={page}
          visibleIds={visibleIds}
          answers={answers}
          problems={shown}
          uncalculated={filling.setting.uncalculated}
          earlier={earlier && from[i] !== 'none' ? { day: earlier.day, isAll: from[i] === 'all' } : undefined}
          onOpen={page.items.some(({ item }) => canBeAnswered(item)) ? () => onPage(i + 1) : undefined}
        />
      ))}
      <ReviewFooter
        filling={filling}
        isConfirmed={isConfirmed}
        isComplete={missing.length === 0}
        problems={problems}
        onBack={onBack}
        onComplete={() => onPage(firstOpen)}
        onSubmit={() => void session.submit()}
      />
    </div>
  );
}

interface ReviewFooterProps {
  filling: FilledForm;
  /** Some answers are from an earlier visit. */
  isConfirmed: boolean;
  isComplete: boolean;
  problems: ReadonlyMap<string, Problem>;
  onBack: () => void;
  /** Goes to the first page on which something is missing. */
  onComplete: () => void;
  onSubmit: () => void;
}

function ReviewFooter({ filling, isConfirmed, isComplete, problems, onBack, onComplete, onSubmit }: ReviewFooterProps) {
  const { t } = useLingui();
  const { lost } = useConnection();
  const language = useLanguage();
  const { errorMessage, isSubmitting } = filling;
  const ofWholeForm = problems.get('');
  return (
    <div className={footer.foot}>
      {errorMessage !== null && <ErrorMessage>{errorMessage}</ErrorMessage>}
      {isSubmitting && lost && (
        <p role="status" className={`${fields.hint} ${css.saving}`}>
          {t`No connection. We’ll send the form when you’re back online. You can leave this page open.`}
        </p>
      )}
      {ofWholeForm && <ErrorMessage>{problemMessage(ofWholeForm, language)}</ErrorMessage>}
      <div className={css.buttons}>
        <button type="button" className={buttons.plain} onClick={onBack}>
          <BackIcon />
          {t`Back`}
        </button>
        {isComplete ? (
          <button type="button" className={buttons.main} aria-busy={isSubmitting || undefined} onClick={onSubmit}>
            {isSubmitting ? t`Submitting…` : isConfirmed ? t`Yes, submit` : t`Submit`}
            {!isSubmitting && <CheckIcon />}
          </button>
        ) : (
          <button type="button" className={buttons.main} onClick={onComplete}>
            {t`Complete what is missing`}
          </button>
        )}
      </div>
    </div>
  );
}

/** What each page is called here. A group that fills several pages counts them, so that no two sections have the same name. */
function useTitles(pages: readonly Page[]): string[] {
  const { t } = useLingui();
  const language = useLanguage();
  const titles = pages.map((page) => pageTitleOf(page, language));
  return titles.map((title, i) => {
    if (title === '') return t`Page ${i + 1}`;
    const count = titles.filter((other) => other === title).length;
    const number = titles.slice(0, i + 1).filter((other) => other === title).length;
    return count > 1 ? t`${title} (${number} of ${count})` : title;
  });
}
