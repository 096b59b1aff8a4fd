import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/plain/button.tsx';
import { Card } from '#web/ui/plain/card.tsx';
import { EmptyState } from '#web/ui/plain/empty-state.tsx';
import { WarningIcon } from '#web/ui/plain/icons.tsx';
import { Skeleton } from '#web/ui/plain/skeleton.tsx';
import { DetailsForm } from './details-form.tsx';
import { SettingsRoom } from './settings-room.tsx';
import { useOfficeDetails } from './use-office-details.ts';

export function DetailsPage() {
  const { t } = useLingui();
  const details = useOfficeDetails();
  return (
    <SettingsRoom title={t`Office details`}>
      {details.data && <DetailsForm saved={details.data} />}
      {details.isPending &&
        [300, 200, 320].map((height) => (
          <Card key={height}>
            <Skeleton height={height} />
          </Card>
        ))}
      {details.isError && !details.data && (
        <EmptyState
          icon={WarningIcon}
          title={t`The office details could not be loaded`}
          action={
            <Button busy={details.isFetching} onClick={() => void details.refetch()}>
              {t`Try again`}
            </Button>
          }
        >
          {details.error.message || t`The server could not be reached.`}
        </EmptyState>
      )}
    </SettingsRoom>
  );
}
