import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { FormsSettings } from './forms-settings.tsx';
import type { FormsSettingsPageProps } from './page-props.ts';
import { useFormSettings } from './use-form-settings.ts';
import { errorMessage } from '#web/kit/error-messages.ts';

/** `/dashboard/settings/forms`: which forms patients are asked for, and the office's own questionnaires. */
export function FormsSettingsPage(props: FormsSettingsPageProps) {
  const { t } = useLingui();
  const settings = useFormSettings();
  if (settings.data) return <FormsSettings saved={settings.data} {...props} />;
  if (settings.isPending)
    return [380, 220].map((height) => (
      <Card key={height}>
        <Skeleton height={height} />
      </Card>
    ));
  return (
    <EmptyState
      icon={WarningIcon}
      title={t`The settings could not be loaded`}
      action={
        <Button busy={settings.isFetching} onClick={() => void settings.refetch()}>
          {t`Try again`}
        </Button>
      }
    >
      {errorMessage(settings.error, t`The server could not be reached.`)}
    </EmptyState>
  );
}
