import { useLingui } from '@lingui/react/macro';
import { AgreementPage } from '#web/panel/features/agreement/agreement-page.tsx';
import { SettingsLayout } from '#web/panel/ui/settings-layout.tsx';

/** `/dashboard/settings/agreement`: the signed agreement inside the settings. */
export function AgreementSettings() {
  const { t } = useLingui();
  return (
    <SettingsLayout title={t`Agreement`}>
      <AgreementPage />
    </SettingsLayout>
  );
}
