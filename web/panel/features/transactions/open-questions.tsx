import { useLingui } from '@lingui/react/macro';
import type { OpenQuestion } from '#contract/transactions.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { Money, Time } from '#web/kit/format.tsx';
import { useRecordingProblem } from '#web/panel/features/copay/index.ts';
import { PatientName } from '#web/panel/features/queue/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import css from './transactions.module.css';
import { useOpenQuestions, useResolve } from './use-transactions.ts';

/** The to-do list: what only a person can look up or correct. Nothing is charged again by itself. */
export function OpenQuestions() {
  const { t } = useLingui();
  const { data } = useOpenQuestions();
  const resolve = useResolve();
  if (!data || data.questions.length === 0) return null;
  return (
    <Card title={t`To do: find out what happened`}>
      <p className={css.note}>
        {t`Look these up in the payment dashboard or the practice software, then say what you found. Nothing is charged or recorded twice.`}
      </p>
      {resolve.error && (
        <Banner tone="red">{errorMessage(resolve.error, t`The server could not be reached. Try again.`)}</Banner>
      )}
      <ul className={css.questions}>
        {data.questions.map((question) => (
          <li key={question.id}>
            <span className={css.what}>
              <PatientName name={question.patientName} /> · <Money cents={question.amount} /> ·{' '}
              <Time at={question.since} /> · <What question={question} />
            </span>
            <Answers
              question={question}
              busy={resolve.isPending}
              onAnswer={(happened) => resolve.mutate({ kind: question.kind, id: question.id, happened })}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function What({ question: { kind, part, problem } }: { question: OpenQuestion }) {
  const { t } = useLingui();
  const refused = useRecordingProblem(problem);
  if (kind === 'payment') return t`Was the card charged?`;
  if (kind === 'refund') return t`Was it refunded? If not, refund it in the payment dashboard.`;
  if (kind === 'correction') return t`Refunded, but still in Athena. Correct it there.`;
  const isRecorded =
    part === 'copay' ? t`Is the copay recorded in Athena?` : t`Is the claim payment recorded in Athena?`;
  return refused === null ? isRecorded : `${isRecorded} ${refused}`;
}

interface AnswersProps {
  question: OpenQuestion;
  busy: boolean;
  onAnswer: (happened: boolean) => void;
}

function Answers({ question, busy, onAnswer }: AnswersProps) {
  const { t } = useLingui();
  const { patientName } = question;
  const [yes, no = null] = {
    payment: [t`Yes, it was charged`, t`No, it was not charged`],
    refund: [t`Yes, it was refunded`, t`No, it was not refunded`],
    recording: [t`Yes, it is recorded`, t`No, record it now`],
    correction: [t`It is corrected`],
  }[question.kind];
  return (
    <span className={css.buttons}>
      <Button size="s" locked={busy} aria-label={`${yes}: ${patientName}`} onClick={() => onAnswer(true)}>
        {yes}
      </Button>
      {no !== null && (
        <Button size="s" locked={busy} aria-label={`${no}: ${patientName}`} onClick={() => onAnswer(false)}>
          {no}
        </Button>
      )}
    </span>
  );
}
