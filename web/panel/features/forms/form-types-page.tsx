import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Button, buttonClass } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { InboxIcon } from '#web/icons/inbox.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Chip } from '#web/panel/ui/status-badge.tsx';
import { Trouble } from '#web/panel/ui/trouble.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import css from './forms.module.css';
import { useFormTypes } from './use-forms.ts';

/** `/dashboard/form-types`: the kinds of forms, each with the way to its forms. */
export function FormTypesPage() {
  const { t } = useLingui();
  const types = useFormTypes();
  return (
    <Page title={t`View Forms`}>
      {types.isPending && <Skeleton height={240} />}
      {types.isError && !types.data && (
        <EmptyState
          icon={WarningIcon}
          title={t`The form types could not be loaded`}
          action={
            <Button busy={types.isFetching} onClick={() => void types.refetch()}>
              {t`Try again`}
            </Button>
          }
        >
          <Trouble error={types.error} />
        </EmptyState>
      )}
      {types.data?.length === 0 && (
        <EmptyState
          icon={InboxIcon}
          // The specification's own spelling of "check-in".
          title={t`No Forms Available. Form submissions will appear here as soon as patients check-in.`}
        />
      )}
      {types.data && types.data.length > 0 && (
        <ul className={css.types}>
          <TypeRow name={t`All forms`} />
          {types.data.map(({ formType, name, asked }) => (
            <TypeRow key={formType} name={name} type={formType} note={asked ? undefined : t`Not asked for now`} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function TypeRow({ name, type, note }: { name: string; type?: string; note?: string | undefined }) {
  const { t } = useLingui();
  return (
    <li className={css.type}>
      <FormIcon />
      <span className={css.typeName}>{name}</span>
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
