import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/plain/button.tsx';
import { Card } from '#web/ui/plain/card.tsx';
import { EmptyState } from '#web/ui/plain/empty-state.tsx';
import { WarningIcon } from '#web/ui/plain/icons.tsx';
import { Skeleton } from '#web/ui/plain/skeleton.tsx';
import { FormsSettings } from './forms-settings.tsx';
import type { ShowPreview } from './preview-dialog.tsx';
import { useFormSettings } from './use-form-settings.ts';
import { errorWords } from '#web/kit/error-words.ts';

/** What is at the end of a form of settings. */
export interface SaveBarProps {
  changed: boolean;
  saving: boolean;
  failed: string | undefined;
  onDiscard: () => void;
  lost: string;
}

export interface FormsSettingsPageProps {
  showPreview: ShowPreview;
  saveBar: (props: SaveBarProps) => ReactNode;
}

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
      {errorWords(settings.error, t`The server could not be reached.`)}
    </EmptyState>
  );
}
