import { useLingui } from '@lingui/react/macro';
import { plural } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import type { KnownForm, LoadedForm } from '#contract/forms/settings.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { EyeIcon } from '#web/icons/eye.tsx';
import { Findings } from '#web/panel/features/forms-settings/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { toQuestionnaire } from './draft-to-questionnaire.ts';
import css from './editor.module.css';
import { EntryList } from './entry-list.tsx';
import { draftProblems, missingSpanish, type FormDraft } from './form-draft.ts';
import type { SavedDraft } from './saved-draft.ts';
import { TextsField } from './texts-field.tsx';
import { useSaveForm } from './use-save-form.ts';

interface EditorDialogProps {
  form: KnownForm | null;
  start: SavedDraft;
  /** It was typed before the page was reloaded or the editor closed. */
  isRestored: boolean;
  keep: (saved: SavedDraft | null) => void;
  onDiscard: () => void;
  onPreview: (text: string, name: string) => void;
  onSaved: (loaded: LoadedForm) => void;
  onClose: () => void;
}

/** The editor: title, questions, preview and saving. Each change is kept, so that closing or reloading loses nothing. */
export function EditorDialog({ form, start, isRestored, keep, onDiscard, ...on }: EditorDialogProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const [draft, setDraft] = useState(start.draft);
  const [editedFrom, setEditedFrom] = useState(start.editedFrom);
  const [tried, setTried] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const { save, conflict } = useSaveForm(form?.formType);
  const problems = draftProblems(draft);
  const shownProblems = tried ? problems : {};
  const text = JSON.stringify(toQuestionnaire(draft, start.head));
  const change = (next: FormDraft) => {
    setDraft(next);
    keep({ ...start, draft: next, editedFrom });
  };
  const post = (from: number) => {
    setTried(true);
    if (Object.keys(problems).length > 0) {
      requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    save.mutate(
      { text, editedFrom: from },
      {
        onSuccess(loaded) {
          if (!loaded.form) return;
          keep(null);
          on.onSaved(loaded);
        },
      },
    );
  };
  const saveOver = (version: number) => {
    setEditedFrom(version);
    keep({ ...start, draft, editedFrom: version });
    post(version);
  };

  const untranslated = missingSpanish(draft);
  const name = form?.name[language];
  const footer = (
    <>
      <Button icon={EyeIcon} onClick={() => on.onPreview(text, draft.title[language] || draft.title.en)}>
        {t`Preview`}
      </Button>
      <Button variant="filled" busy={save.isPending} onClick={() => post(editedFrom)}>
        {form ? t`Save as version ${editedFrom + 1}` : t`Save form`}
      </Button>
    </>
  );
  return (
    <Dialog
      title={name === undefined ? t`Write a form` : t`Edit ${name}`}
      onClose={on.onClose}
      footer={footer}
      size="l"
    >
      {/* What is typed while it is being saved would not be in what was saved. */}
      <div ref={body} className={css.editor} inert={save.isPending}>
        {isRestored && (
          <Banner action={<Button size="s" onClick={onDiscard}>{t`Discard`}</Button>}>
            {t`This is what you typed before. It is not saved yet.`}
          </Banner>
        )}
        <TextsField
          label={t`Title`}
          value={draft.title}
          problem={shownProblems['title']}
          onChange={(title) => change({ ...draft, title })}
        />
        <EntryList draft={draft} problems={shownProblems} onChange={change} />
        {shownProblems['form'] && <Banner tone="red">{t`Add a question first.`}</Banner>}
        {untranslated > 0 && draft.entries.length > 0 && (
          <p className={css.note}>
            {t`${plural(untranslated, { one: '# wording has', other: '# wordings have' })} no Spanish: patients who read Spanish see the English.`}
          </p>
        )}
        {save.data && !save.data.form && (
          <div role="alert">
            <Findings findings={save.data.findings} text={text} />
          </div>
        )}
        {save.error && !conflict && (
          <Banner tone="red">
            <ErrorText error={save.error} />
          </Banner>
        )}
        {save.error && conflict && (
          <Banner
            tone="amber"
            action={
              conflict.form && (
                <Button size="s" onClick={() => saveOver(conflict.form?.version ?? 0)}>
                  {t`Save mine after theirs`}
                </Button>
              )
            }
          >
            <ErrorText error={save.error} />{' '}
            {conflict.form && t`Version ${conflict.form.version} is in use now. It stays available if you save yours.`}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
