import { useLingui } from '@lingui/react/macro';
import { reasonsOf, type EndReason } from '#contract/queue.ts';
import { TrashIcon } from '#web/icons/trash.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Menu, MenuItem, MenuNote } from '#web/panel/ui/menu.tsx';
import { useEndReasonLabel } from '#web/panel/features/queue/card/visit-status.tsx';

/** 'Remove' asks for the reason. */
export function RemoveVisit({ onRemove }: { onRemove: (reason: EndReason) => void }) {
  const { t } = useLingui();
  return (
    <Menu
      button={(props) => (
        <Button {...props} icon={TrashIcon}>
          {t`Remove`}
        </Button>
      )}
    >
      <EndReasons of="remove" onChoose={onRemove} />
    </Menu>
  );
}

interface EndReasonsProps {
  of: keyof typeof reasonsOf;
  onChoose: (reason: EndReason) => void;
}

/** The reasons for which staff end a visit, as items of a menu. */
export function EndReasons({ of, onChoose }: EndReasonsProps) {
  const { t } = useLingui();
  const labels = useEndReasonLabel();
  return (
    <>
      <MenuNote>{t`Reason`}</MenuNote>
      {reasonsOf[of].map((reason) => (
        <MenuItem key={reason} onSelect={() => onChoose(reason)}>
          {labels[reason]}
        </MenuItem>
      ))}
    </>
  );
}
