import { useLingui } from '@lingui/react/macro';
import type { KnownForm } from '#contract/forms/settings.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { useErrorMessage } from '#web/panel/ui/trouble.tsx';
import { useChooseVersion } from './use-form-settings.ts';

/** Removes and restores the office's own forms and undoes replacements, each with a toast. */
export function useVersions() {
  const { t } = useLingui();
  const language = useLanguage();
  const say = useErrorMessage();
  const choose = useChooseVersion();

  const change = ({ formType, name }: KnownForm, version: number, done: () => void) =>
    choose.mutate(
      { formType, version },
      {
        onSuccess: done,
        onError: (error) => void toast({ title: name[language], text: say(error), tone: 'red', seconds: 30 }),
      },
    );
  const putBack = (form: KnownForm) =>
    change(form, form.version, () => void toast({ title: t`${form.name[language]} was restored to the other forms` }));
  const remove = (form: KnownForm) =>
    change(
      form,
      0,
      () =>
        void toast({
          title: t`${form.name[language]} was removed`,
          text: t`Forms that patients submitted are kept.`,
          action: { label: t`Undo`, run: () => putBack(form) },
        }),
    );
  const takeBack = (form: KnownForm, version: number) =>
    change(form, version, () => void toast({ title: t`The previous version is in use again` }));
  return { remove, putBack, takeBack };
}
