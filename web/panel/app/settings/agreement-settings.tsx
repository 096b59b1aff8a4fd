import { useLingui } from '@lingui/react/macro';
import { AgreementPage } from '#web/panel/features/agreement/agreement-page.tsx';
import { SettingsRoom } from '#web/panel/ui/settings-layout.tsx';

/** `/dashboard/settings/agreement`: the signed agreement inside the settings. */
export function AgreementRoom() {
  const { t } = useLingui();
  return (
    <SettingsRoom title={t`Agreement`}>
      <AgreementPage />
    </SettingsRoom>
  );
}
