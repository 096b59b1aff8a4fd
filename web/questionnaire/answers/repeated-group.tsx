import { useLingui } from '@lingui/react/macro';
import { useId, type ReactNode } from 'react';
import type { VisibleItem } from '#questionnaire/visible-items.ts';
import { questionText } from '#questionnaire/form-texts.ts';
import type { Problem } from '#questionnaire/checking/problems.ts';
import { withoutRepetition, withRepetition } from '#questionnaire/extras/repetitions.ts';
import type { Answers } from '#questionnaire/values.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { PhonePlusIcon as PlusIcon } from '#web/icons/phone-plus.tsx';
import { ProblemMessage } from '#web/questionnaire/problem-message.tsx';
import css from '#web/questionnaire/question.module.css';
import buttons from '#web/questionnaire/ui/button.module.css';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';

interface RepeatedGroupProps {
  place: VisibleItem;
  /** From 0. */
  repetition: number;
  problem: Problem | undefined;
  answers: Answers;
  onChange: (answers: Answers) => void;
  /** Its questions. */
  children: ReactNode;
}

/** One of several of a group, and behind the last the way to another. */
export function RepeatedGroup({ place, repetition, problem, answers, onChange, children }: RepeatedGroupProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const id = useId();
  const { item } = place;
  const title = questionText(item, language);
  const known = answers[place.key]?.[0];
  const count = Math.max(typeof known === 'number' ? known : 1, item.minOccurs, 1);
  const isLast = repetition === count - 1;
  const nth = repetition + 1;
  return (
    <>
      <section className={css.repetition} aria-labelledby={id}>
        <h2 id={id}>{`${title} ${nth}`}</h2>
        {problem && <ProblemMessage role="alert" problem={problem} />}
        {children}
        {count > Math.max(item.minOccurs, 1) && (
          <button
            type="button"
            className={buttons.link}
            onClick={() => onChange(withoutRepetition(answers, place, repetition, count))}
          >
            {t`Remove`} <VisuallyHidden>{`${title} ${nth}`}</VisuallyHidden>
          </button>
        )}
      </section>
      {isLast && count < item.maxOccurs && (
        <button type="button" className={buttons.plain} onClick={() => onChange(withRepetition(answers, place, count))}>
          <PlusIcon />
          {t`Add another`}
          <VisuallyHidden> {title}</VisuallyHidden>
        </button>
      )}
    </>
  );
}
