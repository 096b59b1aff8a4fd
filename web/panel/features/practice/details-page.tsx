import { useLingui } from '@lingui/react/macro';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { DetailsForm } from './details-form.tsx';
import { useOfficeDetails } from './use-office-details.ts';

export function DetailsPage() {
  return <Details />;
}

/** Corrects the registered details before the agreement names the practice. Calls `onDone` when they are saved. */
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
  return <LoadError title={t`The office details could not be loaded`} query={details} />;
}
