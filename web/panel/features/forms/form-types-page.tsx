import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '#web/panel/ui/button.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Chip } from '#web/panel/ui/status-badge.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import css from './form-types.module.css';
import { NoForms } from './list-states.tsx';
import list from './list.module.css';
import { useFormTypes } from './use-forms.ts';

/** `/dashboard/form-types`: the types of forms, each with a link to its forms. */
export function FormTypesPage() {
  const { t } = useLingui();
  const types = useFormTypes();
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
          <TypeRow name={t`All forms`} />
          {types.data.map(({ formType, name, isRequested }) => (
            <TypeRow key={formType} name={name} type={formType} note={isRequested ? undefined : t`Not in use`} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function TypeRow({ name, type, note }: { name: string; type?: string; note?: string | undefined }) {
  const { t } = useLingui();
  return (
    <li className={list.row}>
      <FormIcon />
      <span className={css.name}>{name}</span>
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
