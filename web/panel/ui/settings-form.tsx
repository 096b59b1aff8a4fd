import { useLingui } from '@lingui/react/macro';
import type { ReactNode, RefObject, SubmitEvent } from 'react';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { SaveBar } from './save-bar.tsx';
import css from './settings-form.module.css';

interface SettingsFormProps {
  form: RefObject<HTMLFormElement | null>;
  changed: boolean;
  /** A colleague saved other settings while this draft was being edited. */
  overtaken: boolean;
  saving: boolean;
  /** Why the last save failed; undefined when it did not, or when the fields show why. */
  failed: string | undefined;
  /** What leaving would lose, in a sentence. */
  lost: string;
  discard: () => void;
  onSubmit: (event: SubmitEvent) => void;
  children: ReactNode;
}

/** The frame of a form of settings: the notice that a colleague saved meanwhile, the cards, and the save bar. */
export function SettingsForm({ form, overtaken, discard, onSubmit, children, ...bar }: SettingsFormProps) {
  const { t } = useLingui();
  return (
    <form ref={form} className={css.form} onSubmit={onSubmit} noValidate>
      {overtaken && (
        <Banner tone="amber" action={<Button size="s" onClick={discard}>{t`Show theirs`}</Button>}>
          {t`A colleague changed these settings while you were editing. If you save, your changes replace theirs.`}
        </Banner>
      )}
      {children}
      <SaveBar {...bar} onDiscard={discard} />
    </form>
  );
}
