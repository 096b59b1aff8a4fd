import { useLingui } from '@lingui/react/macro';
import buttons from '#web/questionnaire/ui/button.module.css';
import fields from '#web/questionnaire/ui/field.module.css';

interface CalculationNoteProps {
  /** The patient entered this answer; the calculation no longer changes it. */
  isOverwritten: boolean;
  /** It failed, or its result does not fit here. */
  isUncalculated: boolean;
  hasAnswer: boolean;
  onRestore: () => void;
}

/** Says where the answer to a calculated question comes from, and leads back to the calculation. */
export function CalculationNote({ isOverwritten, isUncalculated, hasAnswer, onRestore }: CalculationNoteProps) {
  const { t } = useLingui();
  if (isOverwritten)
    return (
      <p className={fields.hint}>
        {t`You entered this yourself.`}{' '}
        <button type="button" className={buttons.link} onClick={onRestore}>
          {t`Calculate it instead`}
        </button>
      </p>
    );
  if (isUncalculated && !hasAnswer)
    return (
      <p className={fields.hint}>{t`This could not be calculated from your answers. You can enter it yourself.`}</p>
    );
  return (
    <p className={fields.hint}>
      {hasAnswer
        ? t`Calculated from your other answers. You can change it.`
        : t`Calculated from your other answers as soon as they are complete. You can also enter it yourself.`}
    </p>
  );
}

/** Says that an answer was filled in from what the visit knows about the patient. */
export function PrefilledNote() {
  const { t } = useLingui();
  return <p className={fields.hint}>{t`Filled in for you. You can change it.`}</p>;
}
