import { useLingui } from '@lingui/react/macro';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { PrivacyNotice } from './privacy-notice.tsx';
import { FormsSettings } from './forms-settings.tsx';
import { useFormSettings } from './use-form-settings.ts';

/** `/dashboard/settings/forms`: which forms patients are asked for, and the office's own questionnaires. */
export function FormsSettingsPage() {
  const { t } = useLingui();
  const settings = useFormSettings();
  if (settings.data)
    return (
      <>
        <FormsSettings saved={settings.data} />
        <PrivacyNotice />
      </>
    );
  if (settings.isPending)
    return [380, 220].map((height) => (
      <Card key={height}>
        <Skeleton height={height} />
      </Card>
    ));
  return <LoadError title={t`The settings could not be loaded`} query={settings} />;
}
