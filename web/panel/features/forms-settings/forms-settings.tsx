import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import type { FormSettings, KnownForm, LoadedForm } from '#contract/forms/settings.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { PencilIcon } from '#web/icons/pencil.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { SettingsForm } from '#web/panel/ui/settings-form.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { useSettingsForm } from '#web/panel/ui/use-settings-form.ts';
import css from './forms-settings.module.css';
import { LoaderDialog } from './loader-dialog.tsx';
import { OtherForms, RemovedForms } from './other-forms.tsx';
import { PreviewDialog, type PreviewSource } from './preview-dialog.tsx';
import {
  addForm,
  isChanged,
  isSurvey,
  problemsOf,
  toDrafts,
  toSettings,
  type RequestedFormDraft,
} from './requested-forms-draft.ts';
import { RequestedForms } from './requested-forms.tsx';
import { useDroppedFiles } from './use-dropped-file.ts';
import { useRefetchFormSettings, useSaveFormSettings } from './use-form-settings.ts';
import { useVersions } from './use-versions.ts';

const FormEditor = lazy(() => import('./editor/form-editor.tsx'));

/** The forms that patients are asked for, the other forms of the office, and the dialogs that load and preview them. */
export function FormsSettings({ saved }: { saved: FormSettings }) {
  const { t } = useLingui();
  const { settings, saving, error, newRow, add, saveDrafts } = useRequestedForms(saved);
  const { draft: drafts, setDraft: setDrafts, changed, tried } = settings;
  const { remove, putBack, takeBack } = useVersions();
  const { preview, replace, load, write, edit, isDropTarget, dialogs } = useFormDialogs(drafts, add);
  const others = saved.known.filter(
    ({ formType }) => !isSurvey(formType) && drafts.every(({ type }) => type !== formType),
  );
  const revert = (form: KnownForm) => takeBack(form, form.version - 1);
  const actions = { onPreview: preview, onReplace: replace, onEdit: edit, onVersionBefore: revert };
  return (
    <>
      <SettingsForm
        {...settings.frame}
        saving={saving}
        failed={error ? errorMessage(error, t`The server could not be reached.`) : undefined}
        lost={t`Your changes to the forms you ask for would be lost.`}
        onSubmit={(event) => settings.submit(event, saveDrafts)}
      >
        <Card title={t`Forms you ask for`}>
          <p className={css.note}>{t`Patients are asked for them in this order, on their phones.`}</p>
          <RequestedForms
            drafts={drafts}
            known={saved.known}
            problems={tried ? problemsOf(drafts) : {}}
            fresh={changed ? newRow : null}
            isChanged={changed}
            onChange={setDrafts}
            {...actions}
          />
        </Card>
        <Card
          title={t`Other forms`}
          actions={
            <>
              <Button icon={PencilIcon} onClick={write}>
                {t`Write a form`}
              </Button>
              <Button icon={PlusIcon} onClick={load}>
                {t`Load a form`}
              </Button>
            </>
          }
        >
          <OtherForms forms={others} onAsk={add} onRemove={remove} {...actions} />
          <RemovedForms forms={saved.removed} onPutBack={putBack} />
        </Card>
      </SettingsForm>
      {isDropTarget && (
        <div className={css.drop} aria-hidden="true">
          <p>{t`Drop the file here`}</p>
        </div>
      )}
      {dialogs}
    </>
  );
}

const isValid = (drafts: readonly RequestedFormDraft[]) => Object.keys(problemsOf(drafts)).length === 0;

/** The draft of the list, how it is saved, and the row that was added last. */
function useRequestedForms(saved: FormSettings) {
  const { t } = useLingui();
  const save = useSaveFormSettings();
  const [newRow, setNewRow] = useState<string | null>(null);
  const onRestart = () => {
    setNewRow(null);
    save.reset();
  };
  const settings = useSettingsForm(saved.forms, { toDraft: toDrafts, isChanged, isValid, onRestart });
  const { draft: drafts, setDraft: setDrafts } = settings;
  const add = (form: KnownForm) => {
    const next = addForm(drafts, form);
    setDrafts(next);
    setNewRow(next.at(-1)?.key ?? null);
  };
  const saveDrafts = () =>
    save.mutate(toSettings(drafts), {
      onSuccess(now) {
        settings.start(now.forms);
        toast({ title: t`Settings saved`, text: t`The queue and patients’ phones are already up to date.` });
      },
    });
  return { settings, saving: save.isPending, error: save.error, newRow, add, saveDrafts };
}

interface LoaderState {
  /** The form that the loaded questionnaire replaces. */
  replaces: KnownForm | null;
  dropped: readonly File[] | null;
}

/** The dialogs that load a questionnaire and preview a form. A loaded form is added to the list. */
function useFormDialogs(drafts: readonly RequestedFormDraft[], add: (form: KnownForm) => void) {
  const { t } = useLingui();
  const language = useLanguage();
  const refetch = useRefetchFormSettings();
  const { takeBack } = useVersions();
  const [previewed, setPreviewed] = useState<PreviewSource | null>(null);
  const [loader, setLoader] = useState<LoaderState | null>(null);
  /** The form in the editor; null for a new one. */
  const [edited, setEdited] = useState<{ form: KnownForm | null }>();
  const isOver = useDroppedFiles((dropped) => {
    if (!previewed && !edited) setLoader({ replaces: loader?.replaces ?? null, dropped });
  });

  const onLoaded = async ({ becomes }: LoadedForm, hasMore = false) => {
    if (!hasMore) setLoader(null);
    setEdited(undefined);
    if (!becomes) return;
    const { known } = await refetch();
    const form = known.find(({ formType }) => formType === becomes.formType);
    if (!form) return;
    const { replaces } = becomes;
    const name = becomes.name[language];
    if (replaces)
      toast({
        title: t`${name}: version ${form.version} is in use`,
        action: { label: t`Undo`, run: () => takeBack(form, replaces.own ? replaces.version : 0) },
      });
    else if (hasMore) toast({ title: t`${name} was loaded` });
    if (drafts.every(({ type }) => type !== form.formType)) add(form);
  };

  const dialogs = (
    <>
      {loader && (
        <LoaderDialog
          {...loader}
          onPreview={(text, name) => setPreviewed({ text, name })}
          onLoaded={(...loaded) => void onLoaded(...loaded)}
          onClose={() => setLoader(null)}
        />
      )}
      {edited && (
        <Suspense>
          <FormEditor
            key={edited.form?.id ?? 'new'}
            form={edited.form}
            onPreview={(text, name) => setPreviewed({ text, name })}
            onSaved={(loaded) => void onLoaded(loaded)}
            onNew={() => setEdited({ form: null })}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
      {previewed && <PreviewDialog previewed={previewed} onClose={() => setPreviewed(null)} />}
    </>
  );
  return {
    preview: ({ id }: KnownForm, name: string) => setPreviewed({ definitionId: id, name }),
    replace: (replaces: KnownForm) => setLoader({ replaces, dropped: null }),
    load: () => setLoader({ replaces: null, dropped: null }),
    write: () => setEdited({ form: null }),
    edit: (form: KnownForm) => setEdited({ form }),
    isDropTarget: isOver && !loader && !edited,
    dialogs,
  };
}
