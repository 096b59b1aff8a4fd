import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type DragEvent } from 'react';
import { Button } from '#web/panel/ui/button.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { TextArea } from '#web/panel/ui/field.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import css from './loader.module.css';

/** Chooses a file, drops it or pastes its text. */
export function PickFile({ onPick }: { onPick: (file: Blob, name: string) => void }) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [pasted, setPasted] = useState('');
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onPick(file, file.name);
  };
  return (
    <>
      <p className={css.says}>
        {t`Any published FHIR R4 Questionnaire, as JSON. It is checked first, and nothing is loaded until you confirm.`}
      </p>
      <div
        className={classNames(css.drop, isOver && css.over)}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <FormIcon size={28} />
        <p className={css.dropWords}>{t`Drop the file here`}</p>
        <Button variant="filled" data-autofocus onClick={() => input.current?.click()}>
          {t`Choose a file`}
        </Button>
        <input
          ref={input}
          hidden
          type="file"
          accept=".json,.txt,application/json,application/fhir+json"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            target.value = '';
            if (file) onPick(file, file.name);
          }}
        />
      </div>
      <TextArea
        label={t`Or paste its text`}
        rows={4}
        spellCheck={false}
        autoComplete="off"
        className={css.code}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
      />
      {pasted.trim() !== '' && (
        <div>
          <Button onClick={() => onPick(new Blob([pasted]), t`Pasted text`)}>{t`Check the pasted text`}</Button>
        </div>
      )}
    </>
  );
}
