import { useLingui } from '@lingui/react/macro';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import css from './type-chips.module.css';
import { useFormCounts, useFormTypes, type Filter } from './use-forms.ts';

/** The types of forms with how many of each the list has; one press shows only that type. */
export function TypeChips({ filter, onFilter }: { filter: Filter; onFilter: (change: Partial<Filter>) => void }) {
  const { t } = useLingui();
  const language = useLanguage();
  const types = useFormTypes();
  const counts = useFormCounts(filter);
  if (!types.data) return null;
  const countOf = new Map(counts.data?.types.map(({ formType, count }) => [formType, count]));
  const shown = types.data.filter(
    ({ formType, isRequested }) => isRequested || countOf.has(formType) || formType === filter.formType,
  );
  const chips = [
    { formType: '', name: t`All forms`, count: counts.data?.total },
    ...shown.map(({ formType, name }) => ({ formType, name, count: counts.data && (countOf.get(formType) ?? 0) })),
  ];
  return (
    <ul className={css.chips} aria-label={t`Form types`}>
      {chips.map(({ formType, name, count }) => (
        <li key={formType}>
          <button
            type="button"
            className={css.chip}
            aria-pressed={formType === filter.formType}
            onClick={() => onFilter({ formType })}
          >
            {name}{' '}
            <span className={css.count}>{count === undefined ? '' : count.toLocaleString(locales[language])}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
