import { useLingui } from '@lingui/react/macro';
import { AuditPage } from '#web/panel/features/audit/audit-page.tsx';
import { SettingsLayout } from '#web/panel/ui/settings-layout.tsx';

/** `/dashboard/settings/audit`: the office's audit log inside the settings. */
export function AuditSettings() {
  const { t } = useLingui();
  return (
    <SettingsLayout title={t`Audit log`} wide>
      <AuditPage />
    </SettingsLayout>
  );
}
