import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { OpenQuestion } from '#contract/transactions.ts';
import { PaymentDetails, Question, useOpenQuestions, type KnownPayment } from '#web/panel/features/copay/index.ts';
import { useShownName } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import css from './transactions.module.css';

/** More would push the payments themselves off the screen. */
const shownAtFirst = 3;

/** The to-do list: what only a person can look up or correct. Nothing is charged again by itself. */
export function OpenQuestions() {
  const { t } = useLingui();
  const shownName = useShownName();
  const { data } = useOpenQuestions();
  const [isAll, setIsAll] = useState(false);
  const [opened, setOpened] = useState<{ known: KnownPayment; name: string } | null>(null);
  const questions = data?.questions ?? [];
  const open = ({ patientName }: OpenQuestion, { chargeId, amount }: OpenQuestion['charges'][number]) =>
    setOpened({
      known: { chargeId, amount, state: 'SUCCEEDED', requested: false, transferId: null },
      name: shownName(patientName),
    });
  const count = questions.length;
  return (
    <>
      {count > 0 && (
        <Card title={t`To do: find out what happened`}>
          <p className={css.note}>
            {t`Look these up at the payment provider or in the practice software, then say what you found. Nothing is charged or recorded again until you answer.`}
          </p>
          <ul className={css.questions}>
            {questions.slice(0, isAll ? count : shownAtFirst).map((question) => (
              <li key={`${question.kind} ${question.id}`}>
                <Question
                  question={question}
                  name={shownName(question.patientName)}
                  onOpen={(charge) => open(question, charge)}
                />
              </li>
            ))}
          </ul>
          {count > shownAtFirst && (
            <div className={css.buttons}>
              <Button size="s" aria-expanded={isAll} onClick={() => setIsAll(!isAll)}>
                {isAll ? t`Show fewer` : t`Show all ${count}`}
              </Button>
            </div>
          )}
        </Card>
      )}
      {opened && <PaymentDetails {...opened} onClose={() => setOpened(null)} />}
    </>
  );
}
