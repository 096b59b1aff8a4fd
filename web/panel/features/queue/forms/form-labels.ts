import { useLingui } from '@lingui/react/macro';
import type { FormIndicator } from '#contract/queue.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { useShownName } from '#web/panel/features/queue/privacy.tsx';

/** A form's name and how ready it is, in the language of this screen. */
export function useFormLabels(): (form: FormIndicator) => { name: string; message: string } {
  const { t } = useLingui();
  const language = useLanguage();
  const shownName = useShownName();
  return ({ visibleName, formName, complete, outcome, missing, needed }) => {
    const names = missing.map((name) => shownName(name)).join(', ');
    const done = {
      review: t`Review`,
      clear: t({ message: 'Clear', context: 'outcome of a screening' }),
      none: t`Complete`,
    }[outcome ?? 'none'];
    const lacking = missing.length < needed ? t`Missing for ${names}` : t`Missing`;
    return { name: visibleName[language] || formName, message: complete ? done : lacking };
  };
}

export const isPending = ({ incomplete, enablePendingIndicator }: FormIndicator): boolean =>
  incomplete && enablePendingIndicator;

/** How many forms the party has submitted, and how many it needs: 5 of 10 for two people with five each. */
export function formCounts(forms: readonly FormIndicator[]): { done: number; all: number } {
  const sum = (count: (form: FormIndicator) => number) => forms.reduce((total, form) => total + count(form), 0);
  return { done: sum((form) => form.done), all: sum((form) => form.needed) };
}
