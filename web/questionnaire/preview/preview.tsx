import { setupI18n, type I18n } from '@lingui/core';
import { I18nProvider, useLingui } from '@lingui/react';
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { outcomeOf } from '#questionnaire/extras/outcome.ts';
import { pagesOf } from '#questionnaire/pages.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Language } from '#contract/shapes.ts';
import { FormEnvironmentContext, type FormEnvironment } from '#web/questionnaire/form-context.ts';
import { FormStep } from '#web/questionnaire/form-step.tsx';
import css from '#web/questionnaire/form.module.css';
import { openPreviewForm } from './preview-filling.ts';
import { Review } from '#web/questionnaire/review/review.tsx';
import { loadAllMessages } from '#web/questionnaire/locales/catalogs.ts';

interface FormPreviewProps {
  questionnaire: Questionnaire;
  formName: string;
  /** The language the patient chose, whatever the panel's is. */
  language: Language;
  /** The office's day. */
  today: string;
  /** The office's. */
  timeZone: string | undefined;
  /** What is shown in place of the form once it is submitted. */
  end: (outcome: string | null) => ReactNode;
  /** What is shown when the network fails. */
  failed: ReactNode;
}

/** A form as a patient sees and fills it. Nothing is stored. */
export function FormPreview({ language, ...props }: FormPreviewProps) {
  // The parts around the form are in the panel's language.
  const { i18n: panels } = useLingui();
  const inPanels = (said: ReactNode) => <I18nProvider i18n={panels}>{said}</I18nProvider>;
  const [messages, setMessages] = useState<I18n | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    let isOver = false;
    const fetchMessages = async () => {
      const messages = await loadAllMessages(language);
      if (!isOver) setMessages(setupI18n({ locale: language, messages: { [language]: messages } }));
    };
    fetchMessages().catch(() => setHasFailed(true));
    return () => {
      isOver = true;
    };
  }, [language]);
  if (!messages) return hasFailed ? props.failed : null;
  return (
    <I18nProvider i18n={messages}>
      <Pages
        language={language}
        {...props}
        end={(outcome) => inPanels(props.end(outcome))}
        failed={inPanels(props.failed)}
      />
    </I18nProvider>
  );
}

function Pages({ questionnaire, formName, language, today, timeZone, end, failed }: FormPreviewProps) {
  const [session] = useState(() => openPreviewForm(questionnaire, formName, { today, timeZone }));
  const filling = useSyncExternalStore(session.subscribe, session.state);
  const [at, setAt] = useState<number | 'review'>(1);
  const screen = useRef<HTMLDivElement>(null);
  const [pictures] = useState<string[]>([]);
  const [around] = useState((): FormEnvironment => ({
    trackUpload: session.uploads.add,
    async storePicture(picture) {
      const url = URL.createObjectURL(picture);
      pictures.push(url);
      return { url, contentType: picture.type, size: picture.size };
    },
    pictureUrl: ({ url = '' }) => url,
    scrollToTop: () => screen.current?.scrollTo(0, 0),
  }));
  useEffect(() => () => pictures.forEach((url) => URL.revokeObjectURL(url)), [pictures]);
  if (filling === 'gone') return failed;
  if (filling === 'loading') return null;
  if (filling.isDone) return end(outcomeOf(questionnaire, filling.answers, filling.setting));

  const pages = pagesOf(questionnaire, filling.answers, filling.setting);
  const number = Math.min(at === 'review' ? pages.length : at, Math.max(pages.length, 1));
  const page = pages[number - 1];
  const shown = { whose: undefined, filling: { ...filling, form: { ...filling.form, formName } }, session };
  return (
    <FormEnvironmentContext value={around}>
      <div ref={screen} lang={language} className={css.preview}>
        <div>
          {at === 'review' || !page ? (
            <Review {...shown} pages={pages} onPage={setAt} onBack={() => setAt(Math.max(pages.length, 1))} />
          ) : (
            <FormStep
              key={page.id}
              {...shown}
              page={page}
              pages={pages}
              onBack={() => setAt(Math.max(number - 1, 1))}
              onNext={() => setAt(number === pages.length ? 'review' : number + 1)}
              onLeave={undefined}
            />
          )}
        </div>
      </div>
    </FormEnvironmentContext>
  );
}
