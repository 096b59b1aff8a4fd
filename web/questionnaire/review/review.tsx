import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { visibleItems } from '#questionnaire/visible-items.ts';
import { wordsOf } from '#questionnaire/form.ts';
import { pageTitleOf, type Page } from '#questionnaire/pages.ts';
import { sayProblem } from '#questionnaire/checking/problem-messages.ts';
import { problemsOf } from '#questionnaire/checking/problems.ts';
import type { Attachment } from '#questionnaire/questionnaire.ts';
import { saidIn } from '#questionnaire/values.ts';
import { useConnection } from '#web/kit/connection.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { answerText } from './answer-text.ts';
import type { FilledForm, FormSession } from '#web/questionnaire/filled-form.ts';
import { useFormEnvironment } from '#web/questionnaire/form-context.ts';
import { firstOfEach, FormName } from '#web/questionnaire/form-step.tsx';
import css from '#web/questionnaire/form.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { ErrorMessage } from '#web/questionnaire/ui/error-message.tsx';
import footer from '#web/questionnaire/ui/footer.module.css';
import { ChevronLeftIcon as BackIcon } from '#web/icons/chevron-left.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { AlertCircleIcon as WarningIcon } from '#web/icons/alert-circle.tsx';

interface ReviewProps {
  /** The family member, where there are several. */
  whose: string | undefined;
  filling: FilledForm;
  session: FormSession;
  pages: readonly Page[];
  /** From 1. */
  onPage: (number: number) => void;
  onBack: () => void;
}

/** Everything that was answered, once more in one place, before it is handed in. */
export function Review({ whose, filling, session, pages, onPage, onBack }: ReviewProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { lost } = useConnection();
  const { form, questionnaire, answers, setting, isSubmitting, errorMessage } = filling;
  const { pictureUrl, scrollToTop } = useFormEnvironment();
  const heading = useRef<HTMLHeadingElement>(null);
  const missing = problemsOf(questionnaire, answers, setting);
  const problems = firstOfEach(missing.length > 0 ? missing : filling.problems);
  const isComplete = missing.length === 0;
  const shown = new Set(visibleItems(questionnaire, answers, setting).map(({ id }) => id));
  const isOpen = (page: Page) => page.items.some(({ key }) => problems.has(key));
  const firstOpen = pages.findIndex(isOpen);

  useEffect(() => {
    scrollToTop();
    heading.current?.focus({ preventScroll: true });
  }, [scrollToTop]);

  return (
    <div className={css.form}>
      <div className={css.top}>
        <progress
          className={css.progress}
          max={pages.length + 1}
          value={pages.length + 1}
          aria-label={t`How far this form is`}
        />
        <p className={css.eyebrow}>
          <FormName name={form.formName} whose={whose} />
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {t`Please check your answers`}
        </h1>
      </div>
      {pages.map((page, i) => (
        <section key={page.id} className={css.reviewed} aria-labelledby={`page-${i}`}>
          <div className={css.reviewedHead}>
            <h2 id={`page-${i}`}>{pageTitleOf(page, language) || t`Page ${i + 1}`}</h2>
            <button type="button" className={buttons.link} onClick={() => onPage(i + 1)}>
              {isOpen(page) ? t`Complete` : t`Change`}
              <span className={css.unseen}> {pageTitleOf(page, language) || t`Page ${i + 1}`}</span>
            </button>
          </div>
          <dl>
            {page.items
              .filter(({ item, id }) => item.isQuestion && shown.has(id))
              .map(({ item, key, id }) => {
                const said = saidIn(answers[key]);
                const problem = problems.get(key);
                return (
                  <div key={id}>
                    <dt>{wordsOf(item, language)}</dt>
                    {said.map((value, nth) => (
                      <dd key={nth} dir="auto">
                        {item.type === 'attachment' && (value as Attachment).url ? (
                          <img
                            className={css.thumb}
                            src={pictureUrl(value as Attachment)}
                            alt={wordsOf(item, language)}
                          />
                        ) : (
                          answerText(item, value, language)
                        )}
                      </dd>
                    ))}
                    {problem ? (
                      <dd className={css.missing}>
                        <WarningIcon size={16} />
                        {sayProblem(problem, language)}
                      </dd>
                    ) : (
                      said.length === 0 && (
                        <dd className={css.nothing}>
                          {item.calculated === undefined
                            ? t`Not answered`
                            : t`Not calculated: some answers are missing.`}
                        </dd>
                      )
                    )}
                  </div>
                );
              })}
          </dl>
        </section>
      ))}
      <div className={footer.foot}>
        {errorMessage !== null && <ErrorMessage>{errorMessage}</ErrorMessage>}
        {isSubmitting && lost && (
          <p role="status" className={css.saving}>
            {t`No connection. The form is sent as soon as there is one; you can leave this page open.`}
          </p>
        )}
        {problems.has('') && <p className={css.refused}>{t`Nothing has been answered yet.`}</p>}
        <div className={css.buttons}>
          <button type="button" className={buttons.plain} onClick={onBack}>
            <BackIcon />
            {t`Back`}
          </button>
          {isComplete ? (
            <button
              type="button"
              className={buttons.main}
              aria-busy={isSubmitting || undefined}
              onClick={() => void session.submit()}
            >
              {isSubmitting ? t`Submitting…` : t`Submit`}
              {!isSubmitting && <CheckIcon />}
            </button>
          ) : (
            <button type="button" className={buttons.main} onClick={() => onPage(Math.max(firstOpen, 0) + 1)}>
              {t`Complete what is missing`}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}
