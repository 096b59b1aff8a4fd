import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useId, type Ref } from 'react';
import { WarningIcon } from '#web/icons/warning.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import css from './error-summary.module.css';
import type { Field } from './practice-draft.ts';

interface ErrorSummaryProps {
  ref: Ref<HTMLDivElement>;
  /** The errors of the last attempt. One that is fixed stays, crossed out: else the form would move while somebody types. */
  errors: { field: Field; message: string; isFixed: boolean }[];
  onPick: (field: Field) => void;
}

/** The list of errors at the top of the form; each links to its field. It takes the focus after a failed attempt. */
export function ErrorSummary({ ref, errors, onPick }: ErrorSummaryProps) {
  const { t } = useLingui();
  const title = useId();
  const open = errors.filter(({ isFixed }) => !isFixed).length;
  if (open === 0) return null;
  return (
    <div ref={ref} tabIndex={-1} className={css.summary} role="group" aria-labelledby={title}>
      <p id={title} className={css.title}>
        <WarningIcon />
        {plural(open, { one: '# field needs your attention', other: '# fields need your attention' })}
      </p>
      <ul className={css.list}>
        {errors.map(({ field, message, isFixed }) => (
          <li key={field}>
            <button type="button" className={css.link} onClick={() => onPick(field)}>
              {isFixed ? <s>{message}</s> : message}
              {isFixed && <VisuallyHidden>{t`, done`}</VisuallyHidden>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
