import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { FormsSettingsPage } from '#web/panel/features/forms-settings/forms-settings-page.tsx';
import { SaveBar } from '#web/panel/ui/save-bar.tsx';
import { SettingsLayout } from '#web/panel/ui/settings-layout.tsx';

// What fills a form is fetched with the first preview.
const FormPreview = lazy(async () => ({
  default: (await import('#web/questionnaire/preview/preview.tsx')).FormPreview,
}));

/** `/dashboard/settings/forms`: the forms stand among the settings, and are previewed by what patients fill them with. */
export function FormsSettingsScreen() {
  const { t } = useLingui();
  return (
    <SettingsLayout title={t`Forms`}>
      <FormsSettingsPage
        showPreview={(props) => (
          <Suspense>
            <FormPreview {...props} />
          </Suspense>
        )}
        saveBar={(props) => <SaveBar {...props} />}
      />
    </SettingsLayout>
  );
}
