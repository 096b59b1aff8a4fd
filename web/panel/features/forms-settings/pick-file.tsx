import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '#web/panel/ui/button.tsx';
import { DropZone } from '#web/panel/ui/drop-zone.tsx';
import { TextArea } from '#web/panel/ui/field.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { exampleFormUrl } from './example-form.ts';
import css from './loader.module.css';

interface PickFileProps {
  /** Several files can be chosen at once. */
  multiple: boolean;
  onPick: (file: Blob, name: string, others: File[]) => void;
}

/** Chooses files, drops them or pastes the text of one. */
export function PickFile({ multiple, onPick }: PickFileProps) {
  const { t } = useLingui();
  const [pasted, setPasted] = useState('');
  return (
    <>
      <p className={css.says}>
        {t`A FHIR R4 Questionnaire file (JSON) from your software or a forms library. We check it first, and nothing changes until you confirm.`}{' '}
        <a href={exampleFormUrl} download="example-form.json">
          {t`Download an example`}
        </a>
      </p>
      <DropZone
        icon={FormIcon}
        browse={t`Choose a file`}
        label={t`Choose a file`}
        accept=".json,.txt,application/json,application/fhir+json"
        autoFocus
        multiple={multiple}
        onFile={(file, others) => onPick(file, file.name, multiple ? others : [])}
      >
        {t`Drop the file here`}
      </DropZone>
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
          <Button onClick={() => onPick(new Blob([pasted]), t`Pasted text`, [])}>{t`Check the pasted text`}</Button>
        </div>
      )}
    </>
  );
}
