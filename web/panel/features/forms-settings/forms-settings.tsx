import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type FormEvent } from 'react';
import type { FormSettings, KnownForm, LoadedForm } from '#contract/forms/settings.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { useEditable } from '#web/kit/use-editable.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { addForm, isChanged, problemsOf, toDrafts, toSettings } from './requested-forms-draft.ts';
import { RequestedForms } from './requested-forms.tsx';
import type { FormsSettingsPageProps } from './page-props.ts';
import css from './forms-settings.module.css';
import { LoaderDialog } from './loader-dialog.tsx';
import { OtherForms, RemovedForms } from './other-forms.tsx';
import { PreviewDialog, type PreviewSource } from './preview-dialog.tsx';
import { useDroppedFile } from './use-dropped-file.ts';
import { useRefetchFormSettings, useSaveFormSettings } from './use-form-settings.ts';
import { useVersions } from './use-versions.ts';

interface Props extends FormsSettingsPageProps {
  saved: FormSettings;
}

export function FormsSettings({ saved, showPreview, saveBar }: Props) {
  const { t } = useLingui();
  const language = useLanguage();
  const save = useSaveFormSettings();
  const lookAgain = useRefetchFormSettings();
  const { remove, putBack, takeBack } = useVersions();
  const form = useRef<HTMLFormElement>(null);
  const editable = useEditable(saved.forms, { toDraft: toDrafts, isChanged });
  const { draft: drafts, setDraft: setDrafts, changed, overtaken, restart } = editable;
  const [tried, setTried] = useState(false);
  const [fresh, setFresh] = useState<string | null>(null);
  const [previewed, setPreviewed] = useState<PreviewSource | null>(null);
  const [loader, setLoader] = useState<{ replaces: KnownForm | null; dropped: File | null } | null>(null);
  const isOver = useDroppedFile((dropped) => {
    if (!previewed) setLoader({ replaces: loader?.replaces ?? null, dropped });
  });

  const start = (from: FormSettings['forms']) => {
    restart(from);
    setTried(false);
    setFresh(null);
    save.reset();
  };

  const problems = tried ? problemsOf(drafts) : {};
  const others = saved.known.filter(({ formType }) => drafts.every(({ type }) => type !== formType));
  const ask = (one: KnownForm) => {
    const next = addForm(drafts, one);
    setDrafts(next);
    setFresh(next.at(-1)?.key ?? null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problemsOf(drafts)).length > 0) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    save.mutate(toSettings(drafts), {
      onSuccess(now) {
        start(now.forms);
        toast({ title: t`Settings saved`, text: t`The queue and patients' phones show it at once.` });
      },
    });
  };
  const preview = ({ id }: KnownForm, name: string) => setPreviewed({ definitionId: id, name });
  const replace = (replaces: KnownForm) => setLoader({ replaces, dropped: null });

  const versionBefore = (one: KnownForm) => takeBack(one, one.version - 1);

  const onLoaded = async ({ becomes }: LoadedForm) => {
    setLoader(null);
    if (!becomes) return;
    const { known } = await lookAgain();
    const now = known.find(({ formType }) => formType === becomes.formType);
    if (!now) return;
    const { replaces } = becomes;
    const name = becomes.name[language];
    if (replaces)
      toast({
        title: t`${name}: version ${now.version} is in use`,
        action: { label: t`Undo`, run: () => takeBack(now, replaces.own ? replaces.version : 0) },
      });
    if (drafts.some(({ type }) => type === now.formType)) return;
    ask(now);
  };

  return (
    <>
      <form ref={form} className={css.form} onSubmit={submit} noValidate>
        {overtaken && (
          <Banner tone="amber" action={<Button size="s" onClick={() => start(saved.forms)}>{t`Show theirs`}</Button>}>
            {t`A colleague changed these settings meanwhile. If you save, yours replace theirs.`}
          </Banner>
        )}
        <Card title={t`Forms you ask for`}>
          <p className={css.says}>{t`Patients are asked for them in this order, on their phones.`}</p>
          <RequestedForms
            drafts={drafts}
            known={saved.known}
            problems={problems}
            fresh={changed ? fresh : null}
            isChanged={changed}
            onChange={setDrafts}
            onPreview={preview}
            onReplace={replace}
            onVersionBefore={versionBefore}
          />
        </Card>
        <Card
          title={t`Other forms`}
          actions={
            <Button icon={PlusIcon} onClick={() => setLoader({ replaces: null, dropped: null })}>
              {t`Load a questionnaire`}
            </Button>
          }
        >
          <OtherForms
            forms={others}
            onAsk={ask}
            onPreview={preview}
            onReplace={replace}
            onRemove={remove}
            onVersionBefore={versionBefore}
          />
          <RemovedForms forms={saved.removed} onPutBack={putBack} />
        </Card>
        {saveBar({
          changed,
          saving: save.isPending,
          failed: save.error ? errorMessage(save.error, t`The server could not be reached.`) : undefined,
          onDiscard: () => start(saved.forms),
          lost: t`Your changes to the forms you ask for would be lost.`,
        })}
      </form>
      {isOver && !loader && (
        <div className={css.drop} aria-hidden="true">
          <p>{t`Drop the questionnaire here`}</p>
        </div>
      )}
      {loader && (
        <LoaderDialog
          {...loader}
          onPreview={(text, name) => setPreviewed({ text, name })}
          onLoaded={(loaded) => void onLoaded(loaded)}
          onClose={() => setLoader(null)}
        />
      )}
      {previewed && <PreviewDialog previewed={previewed} show={showPreview} onClose={() => setPreviewed(null)} />}
    </>
  );
}
