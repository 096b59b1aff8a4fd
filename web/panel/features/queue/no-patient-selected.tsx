import { useLingui } from '@lingui/react/macro';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { PersonIcon } from '#web/icons/person.tsx';
import css from './visit-panel.module.css';

/** Shown beside the list while no patient is selected. */
export function NoPatientSelected() {
  const { t } = useLingui();
  return (
    <div className={css.nobody}>
      <EmptyState icon={PersonIcon} title={t`Select a patient`}>
        {t`You’ll see their forms, messages and next step here.`}
      </EmptyState>
    </div>
  );
}
