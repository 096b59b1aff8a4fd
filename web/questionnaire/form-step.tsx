import { useLingui } from '@lingui/react/macro';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState, type FormEvent } from 'react';
import type { VisibleItem } from '#questionnaire/visible-items.ts';
import { pageTitleOf, type Page } from '#questionnaire/pages.ts';
import type { Problem } from '#questionnaire/checking/problems.ts';
import type { Value } from '#questionnaire/values.ts';
import { useConnection } from '#web/kit/connection.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import type { FilledForm, FormSession } from './filled-form.ts';
import { useFormEnvironment } from './form-context.ts';
import css from './form.module.css';
import buttons from './ui/button.module.css';
import { ErrorMessage } from './ui/error-message.tsx';
import footer from './ui/footer.module.css';
import { ChevronLeftIcon as BackIcon } from '#web/icons/chevron-left.tsx';
import { ChevronRightIcon as OnIcon } from '#web/icons/chevron-right.tsx';
import { useLoadedPart } from './lazy-parts.ts';
import { Questions } from './questions.tsx';

interface FormStepProps {
  /** The family member, where there are several. */
  whose: string | undefined;
  filling: FilledForm;
  session: FormSession;
  page: Page;
  /** From 1. */
  number: number;
  /** Of all pages, the review among them. */
  count: number;
  onBack: () => void;
  onNext: () => void;
}

/** One page of a form: its questions, and the way on once they are answered, or knowingly left for later. */
export function FormStep({ whose, filling, session, page, number, count, onBack, onNext }: FormStepProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const { lost } = useConnection();
  const { form, questionnaire, answers, setting, isSaving, errorMessage, copiedFrom } = filling;
  const { scrollToTop } = useFormEnvironment();
  const heading = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLFormElement>(null);
  // Said once Next was tried, and as long as it is so; the server's word counts from the start.
  const [isTold, setIsTold] = useState(filling.problems.length > 0);
  const [tries, setTries] = useState(0);
  /** Next was pressed while a picture was on its way. */
  const [sending, setSending] = useState<'none' | 'waiting' | 'sent' | 'refused'>('none');
  const keys = new Set(page.items.map(({ key }) => key));
  /** Not here yet: then nothing is checked until the review, and by the server. */
  const problemsOf = useLoadedPart('rest')?.problemsOf;
  const problems = useMemo(
    () => (isTold && problemsOf ? problemsOf(questionnaire, answers, setting) : []),
    [isTold, problemsOf, questionnaire, answers, setting],
  );
  const here = firstOfEach(problems.filter(({ path }) => keys.has(path)));

  useEffect(() => {
    scrollToTop();
    heading.current?.focus({ preventScroll: true });
  }, [page.id, scrollToTop]);
  useEffect(() => {
    if (tries > 0) body.current?.querySelector<HTMLElement>(wrongField)?.focus();
  }, [tries]);

  const answer = useCallback(
    (place: VisibleItem, values: readonly Value[]) => session.answer(place, values),
    [session],
  );
  const goOn = () => {
    const wrong = problemsOf?.(questionnaire, answers, setting).some(({ path }) => keys.has(path)) ?? false;
    setIsTold(wrong);
    if (wrong) setTries(tries + 1);
    else onNext();
  };
  const next = (event: FormEvent) => {
    event.preventDefault();
    if (sending === 'waiting') return;
    const uploads = session.uploads.waitForPage();
    if (!uploads) return goOn();
    // The answers are those of the moment when the last picture has come, so the way on is decided by the render that has them.
    setSending('waiting');
    void uploads.then((refusal) => setSending(refusal === null ? 'sent' : 'refused'));
  };
  const goOnWhenSent = useEffectEvent(goOn);
  useEffect(() => {
    if (sending !== 'sent') return;
    setSending('none');
    goOnWhenSent();
  }, [sending]);
  useEffect(() => {
    if (sending === 'refused') body.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' });
  }, [sending]);
  const title = pageTitleOf(page, language);
  return (
    <form ref={body} className={css.form} noValidate onSubmit={next}>
      <div className={css.top}>
        <progress className={css.progress} max={count} value={number} aria-label={t`How far this form is`} />
        <p className={css.eyebrow}>
          <FormName name={title === '' ? '' : form.formName} whose={whose} />
          <span>{t`Page ${number} of ${count}`}</span>
        </p>
        <h1 ref={heading} tabIndex={-1}>
          {title || form.formName}
        </h1>
      </div>
      {copiedFrom !== null && number === 1 && (
        <p
          className={css.note}
        >{t`What is the same for your family was taken from the form of ${copiedFrom}. Please check it.`}</p>
      )}
      <Questions page={page} answers={answers} problems={here} onAnswer={answer} onChange={session.change} />
      <div className={footer.foot}>
        {errorMessage !== null && <ErrorMessage>{errorMessage}</ErrorMessage>}
        {((here.size > 0 && tries > 0) || (sending === 'waiting' && lost)) && (
          <button
            type="button"
            className={`${buttons.link} ${css.later}`}
            onClick={() => {
              session.uploads.leavePage();
              onNext();
            }}
          >
            {t`Answer this later`}
          </button>
        )}
        <div className={css.buttons}>
          <button type="button" className={buttons.plain} onClick={onBack}>
            <BackIcon />
            {t`Back`}
          </button>
          <button type="submit" className={buttons.main} aria-busy={sending === 'waiting' || undefined}>
            {t`Next`}
            <OnIcon />
          </button>
        </div>
        <p role="status" className={css.saving}>
          {sending === 'waiting'
            ? lost
              ? t`No connection. The next page opens as soon as your picture is sent.`
              : t`Saving. We’ll continue when it’s done.`
            : isSaving
              ? lost
                ? t`Kept on this phone until there is a connection.`
                : t`Saving…`
              : ''}
        </p>
      </div>
    </form>
  );
}

const wrongField = ['input', 'select', 'textarea', 'button']
  .map((field) => `[data-wrong] ${field}:not([hidden])`)
  .join(', ');

/** What is said at each field is the first thing that is wrong with it. */
export function firstOfEach(problems: readonly Problem[]): ReadonlyMap<string, Problem> {
  const first = new Map<string, Problem>();
  for (const problem of problems) if (!first.has(problem.path)) first.set(problem.path, problem);
  return first;
}

/** Which form, and of whom. */
export function FormName({ name, whose }: { name: string; whose: string | undefined }) {
  return (
    <span>
      {name}
      {name !== '' && whose !== undefined && ' · '}
      {whose !== undefined && <bdi>{whose}</bdi>}
    </span>
  );
}
