import { useLingui } from '@lingui/react/macro';
import { useCallback, useRef } from 'react';
import type { VisibleItem } from '#questionnaire/visible-items.ts';
import { pageTitleOf, type Page } from '#questionnaire/pages.ts';
import type { Value } from '#questionnaire/values.ts';
import { useConnection } from '#web/kit/connection.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import type { FilledForm, FormSession } from './filled-form.ts';
import { FormTop } from './form-top.tsx';
import css from './form.module.css';
import buttons from './ui/button.module.css';
import { ErrorMessage } from './ui/error-message.tsx';
import footer from './ui/footer.module.css';
import { ChevronLeftIcon as BackIcon } from '#web/icons/chevron-left.tsx';
import { ChevronRightIcon as OnIcon } from '#web/icons/chevron-right.tsx';
import { Questions } from './questions.tsx';
import { useNextPage } from './use-next-page.ts';

interface FormStepProps {
  /** The family member, if there are several. */
  whose: string | undefined;
  filling: FilledForm;
  session: FormSession;
  page: Page;
  /** From 1. */
  number: number;
  /** Of all pages, including the review. */
  count: number;
  onBack: () => void;
  onNext: () => void;
}

/** One page of a form: its questions, and the way on once they are answered, or knowingly left for later. */
export function FormStep({ whose, filling, session, page, number, count, onBack, onNext }: FormStepProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { form, copiedFrom } = filling;
  const body = useRef<HTMLFormElement>(null);
  const { next, shownProblems, isWaiting, isStopped } = useNextPage({ filling, session, page, body, onNext });
  const answer = useCallback(
    (place: VisibleItem, values: readonly Value[]) => session.answer(place, values),
    [session],
  );
  const later = () => {
    session.uploads.leavePage();
    onNext();
  };
  const title = pageTitleOf(page, language);
  return (
    <form ref={body} className={css.form} noValidate onSubmit={next}>
      <FormTop
        id={page.id}
        title={title || form.formName}
        number={number}
        count={count}
        formName={title === '' ? '' : form.formName}
        whose={whose}
      >
        <span>{t`Page ${number} of ${count}`}</span>
      </FormTop>
      {copiedFrom !== null && number === 1 && (
        <p
          className={css.note}
        >{t`What is the same for your family was taken from the form of ${copiedFrom}. Please check it.`}</p>
      )}
      <Questions
        page={page}
        answers={filling.answers}
        problems={shownProblems}
        onAnswer={answer}
        onChange={session.change}
      />
      <StepFooter filling={filling} isWaiting={isWaiting} isStopped={isStopped} onBack={onBack} onLater={later} />
    </form>
  );
}

interface StepFooterProps {
  filling: FilledForm;
  /** Next was pressed while a picture was on its way. */
  isWaiting: boolean;
  /** Next found something wrong. */
  isStopped: boolean;
  onBack: () => void;
  /** Goes on without what is wrong or on its way. */
  onLater: () => void;
}

function StepFooter({ filling: { errorMessage, isSaving }, isWaiting, isStopped, onBack, onLater }: StepFooterProps) {
  const { t } = useLingui();
  const { lost } = useConnection();
  const status = () => {
    if (isWaiting)
      return lost
        ? t`No connection. The next page opens as soon as your picture is sent.`
        : t`Saving. We’ll continue when it’s done.`;
    if (isSaving) return lost ? t`Kept on this phone until there is a connection.` : t`Saving…`;
    return '';
  };
  return (
    <div className={footer.foot}>
      {errorMessage !== null && <ErrorMessage>{errorMessage}</ErrorMessage>}
      {(isStopped || (isWaiting && lost)) && (
        <button type="button" className={`${buttons.link} ${css.later}`} onClick={onLater}>
          {t`Answer this later`}
        </button>
      )}
      <div className={css.buttons}>
        <button type="button" className={buttons.plain} onClick={onBack}>
          <BackIcon />
          {t`Back`}
        </button>
        <button type="submit" className={buttons.main} aria-busy={isWaiting || undefined}>
          {t`Next`}
          <OnIcon />
        </button>
      </div>
      <p role="status" className={css.saving}>
        {status()}
      </p>
    </div>
  );
}
