import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import type { Icon } from '#web/icons/shape.tsx';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import css from './drop-zone.module.css';

interface DropZoneProps {
  icon: Icon;
  /** The invitation to drop a file. */
  children: ReactNode;
  /** The button that opens the file chooser. */
  browse: ReactNode;
  /** The accessible name of the file input. */
  label: string;
  /** What the file chooser lists. */
  accept: string;
  /** The button gets the focus when a dialog opens. */
  autoFocus?: boolean;
  /** Several files can be chosen: `onFile` gets the first and the others. */
  multiple?: boolean;
  onFile: (file: File, others: File[]) => void;
}

/** An area where a file is dropped, with a button to choose one. */
export function DropZone({
  icon: ZoneIcon,
  children,
  browse,
  label,
  accept,
  autoFocus,
  multiple,
  onFile,
}: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file, ...others] = event.dataTransfer.files;
    if (file) onFile(file, others);
  };
  return (
    <div
      className={classNames(css.zone, isOver && css.over)}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <ZoneIcon size={28} />
      <p className={css.text}>{children}</p>
      <Button variant="filled" data-autofocus={autoFocus || undefined} onClick={() => input.current?.click()}>
        {browse}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={({ target }) => {
          const [file, ...others] = target.files ?? [];
          // The same file can be chosen again after it was corrected.
          target.value = '';
          if (file) onFile(file, others);
        }}
      />
    </div>
  );
}
