import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { serverNow } from '#web/kit/clock.ts';
import { languages, useLanguage, type Language } from '#web/kit/i18n.ts';
import { dayOf } from '#web/kit/office-clock.ts';
import { useSession } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './preview.module.css';
import { useDefinition } from './use-form-settings.ts';

/** The form as a patient sees it; fetched with the first preview. */
const FormPreview = lazy(async () => ({
  default: (await import('#web/questionnaire/preview/preview.tsx')).FormPreview,
}));

/** A form of the office by its definition, perhaps with questions that are added to it, or the text of a file that is not loaded yet. */
export type PreviewSource =
  | { name: string; definitionId: string; addQuestions?: (questionnaire: Questionnaire) => Questionnaire }
  | { name: string; text: string };

interface PreviewDialogProps {
  previewed: PreviewSource;
  onClose: () => void;
}

/** Previews a form on a phone; it can be filled in, but nothing is saved. */
export function PreviewDialog({ previewed, onClose }: PreviewDialogProps) {
  const { t } = useLingui();
  const panels = useLanguage();
  const { office } = useSession();
  const [language, setLanguage] = useState<Language>(panels);
  const [round, setRound] = useState(0);
  const again = () => setRound(round + 1);
  const today = dayOf(serverNow(), office?.timeZone);
  const end = (outcome: string | null) => <End outcome={outcome} onAgain={again} />;
  const shown = (questionnaire: Questionnaire) => (
    <Suspense>
      <FormPreview
        questionnaire={questionnaire}
        formName={previewed.name}
        language={language}
        today={today}
        timeZone={office?.timeZone}
        end={end}
        failed={<PreviewFailed onAgain={again} />}
      />
    </Suspense>
  );
  return (
    <Dialog title={previewed.name} onClose={onClose} size="l">
      <div className={css.stage}>
        <div className={css.beside}>
          <p>{t`This is what a patient sees. Fill it in to try it: nothing is saved or sent.`}</p>
          <div className={css.languages} role="group" aria-label={t`The patient’s language`}>
            {(['en', 'es'] as const).map((one) => (
              <Button
                key={one}
                lang={one}
                aria-pressed={one === language}
                className={css.language}
                onClick={() => setLanguage(one)}
              >
                {languages[one]}
              </Button>
            ))}
          </div>
          <Button icon={RefreshIcon} onClick={again}>{t`Start again`}</Button>
        </div>
        <div className={css.phone} role="region" aria-label={t`The patient’s phone`}>
          <div key={round} className={css.screen}>
            {'text' in previewed ? (
              <OfText text={previewed.text}>{shown}</OfText>
            ) : (
              <OfDefinition id={previewed.definitionId}>
                {(questionnaire) => shown(previewed.addQuestions?.(questionnaire) ?? questionnaire)}
              </OfDefinition>
            )}
          </div>
        </div>
      </div>
    </Dialog>
  );
}

type WithQuestionnaire = { children: (questionnaire: Questionnaire) => ReactNode };

function OfDefinition({ id, children }: WithQuestionnaire & { id: string }) {
  const { data, error, isFetching, refetch } = useDefinition(id);
  if (data) return children(data.questionnaire as Questionnaire);
  if (!error) return <Waiting />;
  return <PreviewFailed error={error} isBusy={isFetching} onAgain={() => void refetch()} />;
}

function PreviewFailed({ error, isBusy = false, onAgain }: { error?: Error; isBusy?: boolean; onAgain: () => void }) {
  const { t } = useLingui();
  return (
    <div className={css.end}>
      <EmptyState
        icon={WarningIcon}
        title={t`The form could not be loaded`}
        action={
          <Button busy={isBusy} onClick={onAgain}>
            {t`Try again`}
          </Button>
        }
      >
        {error && <ErrorText error={error} />}
      </EmptyState>
    </div>
  );
}

function OfText({ text, children }: WithQuestionnaire & { text: string }) {
  const [questionnaire, setQuestionnaire] = useState<Questionnaire | null>(null);
  useEffect(() => {
    void import('#questionnaire/loading/read-questionnaire.ts').then(({ readQuestionnaire }) =>
      setQuestionnaire(readQuestionnaire(text).questionnaire),
    );
  }, [text]);
  return questionnaire ? children(questionnaire) : <Waiting />;
}

function Waiting() {
  return (
    <div className={css.waiting}>
      <Skeleton height={300} />
    </div>
  );
}

/** The end of the preview, with the outcome that the desk would see. */
function End({ outcome, onAgain }: { outcome: string | null; onAgain: () => void }) {
  const { t } = useLingui();
  const desk: Record<string, string> = {
    clear: t`The desk would see: Clear.`,
    review: t`The desk would see: Review.`,
  };
  return (
    <div className={css.end}>
      <EmptyState
        icon={CheckCircleIcon}
        title={t`The form would be submitted now`}
        action={<Button variant="filled" autoFocus onClick={onAgain}>{t`Start again`}</Button>}
      >
        {t`This was a preview: nothing was saved or sent.`} {outcome !== null && desk[outcome]}
      </EmptyState>
    </div>
  );
}
