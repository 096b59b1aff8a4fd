import { useLingui } from '@lingui/react/macro';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { PanelsForm } from './panels-form.tsx';
import { usePanels } from './use-panels.ts';

/** Which panel and screens the practice uses; its own people switch those that are theirs. */
export function PanelsPage() {
  const { t } = useLingui();
  const panels = usePanels();
  if (panels.data) return <PanelsForm saved={panels.data} />;
  if (panels.isError) return <LoadError title={t`The settings could not be loaded`} query={panels} />;
  return [150, 150, 90].map((height, i) => (
    <Card key={i}>
      <Skeleton height={height} />
    </Card>
  ));
}
