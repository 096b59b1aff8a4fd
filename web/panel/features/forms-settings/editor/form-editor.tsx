import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { KnownForm, LoadedForm } from '#contract/forms/settings.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { useDefinition } from '#web/panel/features/forms-settings/index.ts';
import { EditorDialog } from './editor-dialog.tsx';
import { toDraft } from './questionnaire-to-draft.ts';
import { keepDraft, readSavedDraft, type SavedDraft } from './saved-draft.ts';

export interface FormEditorProps {
  /** The form to edit; null for a new one. */
  form: KnownForm | null;
  onPreview: (text: string, name: string) => void;
  onSaved: (loaded: LoadedForm) => void;
  /** Opens the editor with a new form instead. */
  onNew: () => void;
  onClose: () => void;
}

const newForm = 'new';

/** Edits a form of the practice, or writes a new one. */
export default function FormEditor(props: FormEditorProps) {
  const { form } = props;
  const officeId = useSession().office?.id ?? '';
  const formType = form?.formType ?? newForm;
  const [savedDraft] = useState(() => readSavedDraft(officeId, formType));
  const [round, setRound] = useState(0);
  const keep = (saved: SavedDraft | null) => keepDraft(officeId, formType, saved);
  const discard = () => {
    keep(null);
    setRound(round + 1);
  };
  const shared = { ...props, keep, onDiscard: discard };
  const restored = round === 0 ? savedDraft : null;
  if (restored) return <EditorDialog key={round} {...shared} start={restored} isRestored />;
  if (form) return <OfForm key={round} {...shared} form={form} />;
  return <EditorDialog key={round} {...shared} start={emptyForm()} isRestored={false} />;
}

const emptyForm = (): SavedDraft => ({
  draft: { title: { en: '', es: '' }, entries: [] },
  head: { id: `form-${crypto.randomUUID().slice(0, 8)}` },
  editedFrom: 0,
});

type OfFormProps = Omit<Parameters<typeof EditorDialog>[0], 'start' | 'isRestored' | 'form'> & {
  form: KnownForm;
  onNew: () => void;
};

function OfForm({ form, onNew, ...props }: OfFormProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const query = useDefinition(form.id);
  const name = form.name[language];
  if (!query.data)
    return (
      <Dialog title={t`Edit ${name}`} onClose={props.onClose} size="l">
        {query.error ? <LoadError title={t`The form could not be loaded`} query={query} /> : <Skeleton height={300} />}
      </Dialog>
    );
  const opened = toDraft(query.data.questionnaire as Questionnaire);
  if (opened.draft) {
    const { draft, head } = opened;
    return <EditorDialog {...props} form={form} start={{ draft, head, editedFrom: form.version }} isRestored={false} />;
  }
  const footer = (
    <>
      <Button onClick={props.onClose}>{t`Close`}</Button>
      <Button variant="filled" onClick={onNew}>{t`Write a new form`}</Button>
    </>
  );
  return (
    <Dialog title={t`${name} can’t be edited here`} onClose={props.onClose} footer={footer}>
      <p>{t`It uses parts that the editor does not show, and they would be lost. Replace it with a file instead, or write a new form.`}</p>
      {opened.unknown.length > 0 && (
        <>
          <p>{t`The editor does not show these completely:`}</p>
          <ul>
            {opened.unknown.slice(0, 20).map((text, i) => (
              <li key={i}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
