import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import type { ListedForm } from '#contract/forms/desk.ts';
import { DownloadIcon } from '#web/icons/download.tsx';
import { EyeIcon } from '#web/icons/eye.tsx';
import { useOfficeZone } from '#web/kit/format.tsx';
import { PatientBirthday } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { FormStates } from './form-states.tsx';
import { FormTime, useDayName, useFormMoment } from './form-time.tsx';
import css from './forms-list.module.css';
import { groupForms, type DayGroup, type PatientGroup } from './group-forms.ts';
import { ListRow } from './list-row.tsx';
import list from './list.module.css';
import { useDownloadForm } from './use-form-file.ts';
import type { Selection } from './use-selection.ts';
import { useShownName } from './use-shown-name.ts';

interface RowsProps {
  selection: Selection;
  open: string | undefined;
  onOpen: (key: string) => void;
}

/** One page of the list, by day and patient. */
export function FormsList({ forms, ...rows }: RowsProps & { forms: readonly ListedForm[] }) {
  const zone = useOfficeZone();
  return (
    <div className={css.days}>
      {groupForms(forms, zone).map((group) => (
        <Day key={group.day} group={group} {...rows} />
      ))}
    </div>
  );
}

function Day({ group: { patients }, ...rows }: RowsProps & { group: DayGroup }) {
  const id = useId();
  const dayName = useDayName();
  const at = patients[0]?.forms[0]?.completedAt ?? '';
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={css.day}>
        {dayName(at)}
      </h3>
      <div className={list.list}>
        {patients.map((patient) => (
          <Patient key={patient.key} patient={patient} {...rows} />
        ))}
      </div>
    </section>
  );
}

function Patient({ patient: { name, birthDate, forms }, ...rows }: RowsProps & { patient: PatientGroup }) {
  const shownName = useShownName()(name);
  return (
    <div className={css.patient}>
      <h4 className={css.who}>
        <bdi>{shownName}</bdi>{' '}
        {birthDate && (
          <span className={css.birthday}>
            <Trans>
              Born <PatientBirthday date={birthDate} />
            </Trans>
          </span>
        )}
      </h4>
      <ul className={css.forms}>
        {forms.map((form) => (
          <Row key={form.id} form={form} {...rows} />
        ))}
      </ul>
    </div>
  );
}

function Row({ form, selection, open, onOpen }: RowsProps & { form: ListedForm }) {
  const { t } = useLingui();
  const moment = useFormMoment();
  const download = useDownloadForm();
  const { objectKey, patientName, formName, completedAt } = form;
  const name = useShownName()(patientName);
  const isOpen = objectKey === open;
  const filedAt = moment(completedAt);
  const about = <VisuallyHidden>{`${name}, ${formName}`}</VisuallyHidden>;
  const select = (
    <div className={list.select}>
      <Checkbox
        label={<VisuallyHidden>{t`Select: ${name}, ${formName}, ${filedAt}`}</VisuallyHidden>}
        checked={selection.keys.has(objectKey)}
        onChange={(event) => selection.select([objectKey], event.target.checked)}
      />
    </div>
  );
  const buttons = (
    <>
      <Button size="s" icon={EyeIcon} aria-expanded={isOpen} data-form={objectKey} onClick={() => onOpen(objectKey)}>
        {t({ message: 'View', context: 'open a form' })}
        {about}
      </Button>
      <Button size="s" icon={DownloadIcon} busy={download.isPending} onClick={() => download.mutate(objectKey)}>
        {t`Download`}
        {about}
      </Button>
    </>
  );
  return (
    <ListRow
      lead={select}
      name={formName}
      facts={
        <>
          <FormTime at={completedAt} />
          <FormStates {...form} />
        </>
      }
      buttons={buttons}
      error={<ErrorText error={download.error} />}
      isOpen={isOpen}
      oneLine
    />
  );
}
