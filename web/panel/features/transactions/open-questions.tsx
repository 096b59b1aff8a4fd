import { useLingui } from '@lingui/react/macro';
import { Question, useOpenQuestions } from '#web/panel/features/copay/index.ts';
import { useShownName } from '#web/panel/features/queue/index.ts';
import { Card } from '#web/panel/ui/card.tsx';
import css from './transactions.module.css';

/** The to-do list: what only a person can look up or correct. Nothing is charged again by itself. */
export function OpenQuestions() {
  const { t } = useLingui();
  const shownName = useShownName();
  const { data } = useOpenQuestions();
  if (!data || data.questions.length === 0) return null;
  return (
    <Card title={t`To do: find out what happened`}>
      <p className={css.note}>
        {t`Look these up at the payment provider or in the practice software, then say what you found. Nothing is charged or recorded twice.`}
      </p>
      <ul className={css.questions}>
        {data.questions.map((question) => (
          <li key={question.id}>
            <Question question={question} name={shownName(question.patientName)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
