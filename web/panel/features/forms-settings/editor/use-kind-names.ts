import { useLingui } from '@lingui/react/macro';
import type { Kind } from './form-draft.ts';

/** What the editor calls each kind of entry. */
export function useKindNames(): Record<Kind, string> {
  const { t } = useLingui();
  return {
    string: t`Short text`,
    text: t`Long text`,
    integer: t`Whole number`,
    decimal: t`Number`,
    boolean: t`Yes or no`,
    date: t`Date`,
    choice: t`One choice`,
    several: t`Several choices`,
    display: t`Text to read`,
    group: t`Section`,
    score: t`Score`,
  };
}
