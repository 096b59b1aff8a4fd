import { useLingui } from '@lingui/react/macro';
import type { FormItem } from '#questionnaire/form-item.ts';
import type { Value } from '#questionnaire/values.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { usePart } from '#web/questionnaire/lazy-parts.ts';
import css from '#web/questionnaire/question.module.css';
import fields from '#web/questionnaire/ui/field.module.css';

interface FixedAnswerProps {
  item: FormItem;
  values: readonly Value[];
  isUncalculated: boolean;
}

/** An answer that cannot be edited. */
export function FixedAnswer({ item, values, isUncalculated }: FixedAnswerProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const rest = usePart('rest');
  if (values.length === 0 && item.calculated !== undefined)
    return (
      <span className={css.uncalculated}>
        {isUncalculated
          ? t`This could not be calculated from your answers. You can continue: the office will see that it is missing.`
          : t`Not calculated yet: it depends on your other answers. You can continue without it.`}
      </span>
    );
  return rest && (values.map((value) => rest.sayAnswer(item, value, language)).join(', ') || '–');
}

/** Under a question of a kind that is not known here. */
export function NotAnswerable() {
  const { t } = useLingui();
  return (
    <p className={fields.hint}>{t`This question can’t be answered here. Please tell the front desk your answer.`}</p>
  );
}
