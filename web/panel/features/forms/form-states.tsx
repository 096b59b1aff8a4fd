import { useLingui } from '@lingui/react/macro';
import type { FormItem } from '#contract/forms/desk.ts';
import { CheckIcon } from '#web/icons/check.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Chip, StatusBadge } from '#web/panel/ui/status-badge.tsx';

/** The outcome of a screening, and whether the form replaced an earlier one. */
export function FormStates({ outcome, amended }: Pick<FormItem, 'outcome' | 'amended'>) {
  const { t } = useLingui();
  return (
    <>
      {outcome === 'review' && (
        <StatusBadge tone="amber" icon={WarningIcon}>
          {t`Review`}
        </StatusBadge>
      )}
      {outcome === 'clear' && (
        <StatusBadge tone="green" icon={CheckIcon}>
          {t({ message: 'Clear', context: 'outcome of a screening' })}
        </StatusBadge>
      )}
      {amended && <Chip>{t`Amended`}</Chip>}
    </>
  );
}
