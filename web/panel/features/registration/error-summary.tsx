import { plural } from '@lingui/core/macro';
import { WarningIcon } from '#web/icons/warning.tsx';
import css from './error-summary.module.css';
import type { Field } from './practice-draft.ts';

/** The list of errors; each links to its field. */
export function ErrorSummary({
  wrong,
  onPick,
}: {
  wrong: { field: Field; message: string }[];
  onPick: (field: Field) => void;
}) {
  if (wrong.length === 0) return null;
  return (
    <div className={css.summary}>
      <p className={css.title} role="alert">
        <WarningIcon />
        {plural(wrong.length, { one: '# field needs your attention', other: '# fields need your attention' })}
      </p>
      <ul className={css.list}>
        {wrong.map(({ field, message }) => (
          <li key={field}>
            <button type="button" className={css.link} onClick={() => onPick(field)}>
              {message}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
