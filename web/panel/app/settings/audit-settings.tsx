import { useLingui } from '@lingui/react/macro';
import { AuditPage } from '#web/panel/features/audit/audit-page.tsx';
import { SettingsRoom } from '#web/panel/ui/settings-layout.tsx';

/** `/dashboard/settings/audit`: the office's audit log inside the settings. */
export function AuditRoom() {
  const { t } = useLingui();
  return (
    <SettingsRoom title={t`Audit log`} wide>
      <AuditPage />
    </SettingsRoom>
  );
}
