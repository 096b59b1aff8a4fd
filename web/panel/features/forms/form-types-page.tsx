import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { buttonClass } from '#web/panel/ui/button.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Chip, Counter } from '#web/panel/ui/status-badge.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import css from './form-types.module.css';
import { NoForms } from './list-states.tsx';
import list from './list.module.css';
import { noFilter, useFormCounts, useFormTypes } from './use-forms.ts';

/** `/dashboard/form-types`: the types of forms with how many there are, each with a link to its forms. */
export function FormTypesPage() {
  const { t } = useLingui();
  const types = useFormTypes();
  const { data: counts } = useFormCounts(noFilter);
  const countOf = (type: string) => counts && (counts.types.find(({ formType }) => formType === type)?.count ?? 0);
  return (
    <Page title={t`View Forms`}>
      {types.isPending && <Skeleton height={240} />}
      {types.isError && !types.data && (
        <LoadError title={t`The form types could not be loaded`} query={types}>
          <ErrorText error={types.error} />
        </LoadError>
      )}
      {types.data?.length === 0 && <NoForms />}
      {types.data && types.data.length > 0 && (
        <ul className={list.list}>
          <TypeRow name={t`All forms`} count={counts?.total} />
          {types.data.map(({ formType, name, isRequested }) => (
            <TypeRow
              key={formType}
              name={name}
              type={formType}
              count={countOf(formType)}
              note={isRequested ? undefined : t`Not in use`}
            />
          ))}
        </ul>
      )}
    </Page>
  );
}

interface TypeRowProps {
  name: string;
  type?: string;
  /** Undefined while it loads. */
  count: number | undefined;
  note?: string | undefined;
}

function TypeRow({ name, type, count, note }: TypeRowProps) {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <li className={list.row}>
      <FormIcon />
      <span className={css.name}>{name}</span>
      {count !== undefined && <Counter>{count.toLocaleString(locales[language])}</Counter>}
      {note && <Chip>{note}</Chip>}
      <Link to="/dashboard/forms" search={type ? { type } : {}} className={buttonClass({})}>
        <span>
          {t`View Forms`}
          <VisuallyHidden>{name}</VisuallyHidden>
        </span>
      </Link>
    </li>
  );
}
