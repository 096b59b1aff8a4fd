import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { DetailsForm } from './details-form.tsx';
import { SettingsLayout } from '#web/panel/ui/settings-layout.tsx';
import { useOfficeDetails } from './use-office-details.ts';
import { errorMessage } from '#web/kit/error-messages.ts';

export function DetailsPage() {
  const { t } = useLingui();
  return (
    <SettingsLayout title={t`Office details`}>
      <Details />
    </SettingsLayout>
  );
}

/** Before the agreement names the practice, what was registered can be put right; `onDone` when it is saved. */
export function CorrectDetails({ onDone }: { onDone: () => void }) {
  return <Details unsigned onSaved={onDone} />;
}

function Details({ unsigned = false, onSaved }: { unsigned?: boolean; onSaved?: () => void }) {
  const { t } = useLingui();
  const details = useOfficeDetails({ unsigned });
  if (details.data) return <DetailsForm saved={details.data} unsigned={unsigned} {...(onSaved && { onSaved })} />;
  if (details.isPending)
    return [300, 200, 320].map((height) => (
      <Card key={height}>
        <Skeleton height={height} />
      </Card>
    ));
  return (
    <EmptyState
      icon={WarningIcon}
      title={t`The office details could not be loaded`}
      action={
        <Button busy={details.isFetching} onClick={() => void details.refetch()}>
          {t`Try again`}
        </Button>
      }
    >
      {errorMessage(details.error, t`The server could not be reached.`)}
    </EmptyState>
  );
}
