import { useLingui } from '@lingui/react/macro';
import { ChevronDownIcon } from '#web/icons/chevron-down.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { IconButton } from '#web/panel/ui/button.tsx';
import css from './move-buttons.module.css';

const UpIcon: Icon = (props) => <ChevronDownIcon {...props} className={css.up} />;

interface MoveButtonsProps {
  /** What moves. */
  name: string;
  /** Its place in the list, from 1, and how many there are. */
  place: number;
  count: number;
  onMove: (by: -1 | 1) => void;
}

/** Moves one entry of a list up or down. */
export function MoveButtons({ name, place, count, onMove }: MoveButtonsProps) {
  const { t } = useLingui();
  return (
    <>
      <IconButton
        label={t`Move ${name} up`}
        icon={UpIcon}
        variant="subtle"
        aria-disabled={place === 1 || undefined}
        onClick={() => onMove(-1)}
      />
      <IconButton
        label={t`Move ${name} down`}
        icon={ChevronDownIcon}
        variant="subtle"
        aria-disabled={place === count || undefined}
        onClick={() => onMove(1)}
      />
    </>
  );
}
