import { useLingui } from '@lingui/react/macro';
import { Button } from '#web/ui/plain/button.tsx';
import { Card } from '#web/ui/plain/card.tsx';
import { EmptyState } from '#web/ui/plain/empty-state.tsx';
import { WarningIcon } from '#web/ui/plain/icons.tsx';
import { Skeleton } from '#web/ui/plain/skeleton.tsx';
import { DetailsForm } from './details-form.tsx';
import { SettingsRoom } from './settings-room.tsx';
import { useOfficeDetails } from './use-office-details.ts';
import { errorWords } from '#web/kit/error-words.ts';

export function DetailsPage() {
  const { t } = useLingui();
  return (
    <SettingsRoom title={t`Office details`}>
      <Details />
    </SettingsRoom>
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
      {errorWords(details.error, t`The server could not be reached.`)}
    </EmptyState>
  );
}
