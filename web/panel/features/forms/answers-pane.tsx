import { Trans, useLingui } from '@lingui/react/macro';
import type { FiledAnswer } from '#contract/forms/desk.ts';
import { WarningIcon } from '#web/icons/warning.tsx';
import { PatientBirthday } from '#web/panel/features/queue/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Chip, StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { answerRuns, type AnswerRun } from './answer-runs.ts';
import css from './answers-pane.module.css';
import { FormStates } from './form-states.tsx';
import { FormTime, useFormMoment } from './form-time.tsx';
import { useFormAnswers } from './use-form-file.ts';

/** A form's answers as text: first those to review and the allergies, then section by section. */
export function AnswersPane({ formKey }: { formKey: string }) {
  const { t } = useLingui();
  const moment = useFormMoment();
  const form = useFormAnswers(formKey);
  if (form.isPending) return <Skeleton height={320} />;
  if (form.isError)
    return (
      <LoadError title={t`The form could not be opened`} query={form}>
        <ErrorText error={form.error} />
      </LoadError>
    );
  const { birthDate, completedAt, supersededAt, highlights, sections } = form.data;
  const changedAt = supersededAt && moment(supersededAt);
  const toReview = highlights.filter(({ mark }) => mark === 'review');
  const allergies = highlights.filter(({ mark }) => mark === 'allergy');
  return (
    <div className={css.pane}>
      <p className={css.facts}>
        {birthDate && (
          <span>
            <Trans>
              Born <PatientBirthday date={birthDate} />
            </Trans>
          </span>
        )}
        <FormTime at={completedAt} />
        <FormStates {...form.data} />
      </p>
      {changedAt && (
        <Banner tone="amber">{t`The patient changed this form: ${changedAt}. These are the earlier answers.`}</Banner>
      )}
      {toReview.length > 0 && <Answers title={t`To review`} answers={toReview} tone="review" />}
      {allergies.length > 0 && <Answers title={t`Allergies`} answers={allergies} tone="allergy" />}
      {sections.map(({ title, answers }, i) => (
        <Answers key={i} title={title} answers={answers} marks />
      ))}
    </div>
  );
}

interface AnswersProps {
  title: string;
  answers: readonly FiledAnswer[];
  /** What the box on top is about. */
  tone?: 'review' | 'allergy';
  /** Marks the answers that are on top too. */
  marks?: boolean;
}

function Answers({ title, answers, tone, marks = false }: AnswersProps) {
  return (
    <section className={css.section} data-tone={tone}>
      {title !== '' && <h3>{title}</h3>}
      {answerRuns(answers).map((run, i) => (
        <AnswerRunSection key={i} run={run} marks={marks} />
      ))}
    </section>
  );
}

function AnswerRunSection({ run: { heading, kind, answers }, marks }: { run: AnswerRun; marks: boolean }) {
  return (
    <>
      {heading !== '' && <h4>{heading}</h4>}
      {kind === 'text' ? (
        answers.map(({ text }, i) => (
          <p key={i} className={css.text}>
            {text}
          </p>
        ))
      ) : (
        <dl>
          {answers.map((answer, i) => (
            <Answer key={i} answer={answer} hasMark={marks} />
          ))}
        </dl>
      )}
    </>
  );
}

function Answer({ answer, hasMark }: { answer: FiledAnswer; hasMark: boolean }) {
  const { t } = useLingui();
  const { text, answers, pictures, mark } = answer;
  return (
    <div>
      <dt>
        {text}{' '}
        {hasMark && mark === 'review' && (
          <StatusBadge tone="amber" icon={WarningIcon}>
            {t`Review`}
          </StatusBadge>
        )}
        {hasMark && mark === 'allergy' && <Chip>{t`Allergy`}</Chip>}
      </dt>
      {pictures.map(({ description, url }, i) => (
        <dd key={i}>
          {url ? (
            <img src={url} alt={description} />
          ) : (
            <span className={css.blank}>{t`${description}: open the PDF to see it.`}</span>
          )}
        </dd>
      ))}
      {answers.map((line, i) => (
        <dd key={i} dir="auto">
          {line}
        </dd>
      ))}
      {answers.length === 0 && pictures.length === 0 && <dd className={css.blank}>{t`Not answered`}</dd>}
    </div>
  );
}
