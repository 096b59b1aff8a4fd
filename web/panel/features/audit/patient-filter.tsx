import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { DirectoryPatient } from '#contract/directory.ts';
import { CloseIcon } from '#web/icons/close.tsx';
import { useSettled } from '#web/kit/use-settled.ts';
import { PatientBirthday, PatientName, PatientPhone, useShownName } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Combobox } from '#web/panel/ui/combobox.tsx';
import css from './audit.module.css';
import { usePatientSearch } from './use-audit.ts';

const shownAtMost = 8;

interface PatientFilterProps {
  /** The name of the patient in the filter; null without one. */
  chosen: string | null;
  onChoose: (patientId: string) => void;
}

/** Chooses the patient whose entries are shown; the chosen one is a button that removes the filter. */
export function PatientFilter({ chosen, onChoose }: PatientFilterProps) {
  const { t } = useLingui();
  const shownName = useShownName();
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim());
  const list = usePatientSearch(search);
  const found = (search === '' ? undefined : list.data?.patients) ?? [];
  const count = found.length;
  const status =
    search === '' || list.isPending
      ? ''
      : list.isError
        ? t`The server could not be reached.`
        : count === 0
          ? t`No patients found`
          : plural(count, { one: '# patient found', other: '# patients found' });
  const shown = chosen === '' ? t`Patient without a name` : shownName(chosen ?? '');
  if (chosen !== null)
    return (
      <div className={css.chosen}>
        <span className={css.chosenLabel}>{t`Patient`}</span>
        <Button icon={CloseIcon} aria-label={t`${shown}: show all patients`} onClick={() => onChoose('')}>
          <bdi>{shown}</bdi>
        </Button>
      </div>
    );
  return (
    <Combobox
      label={t`Patient`}
      placeholder={t`Name, phone or birthday`}
      maxLength={100}
      value={typed}
      onType={setTyped}
      choices={found.slice(0, shownAtMost)}
      keyOf={({ id }) => id}
      show={(patient) => <PatientOption patient={patient} />}
      onChoose={({ id }) => {
        setTyped('');
        onChoose(id);
      }}
      listLabel={t`Patients found`}
      status={status}
      busy={search !== '' && list.isPending}
    />
  );
}

function PatientOption({ patient: { name, phone, birthDate } }: { patient: DirectoryPatient }) {
  return (
    <span className={css.found}>
      <span className={css.foundName}>
        {name === '' ? <PatientPhone phone={phone} /> : <PatientName name={name} />}
      </span>
      <span className={css.foundFacts}>
        {birthDate && <PatientBirthday date={birthDate} />}
        {birthDate && name !== '' && ' · '}
        {name !== '' && <PatientPhone phone={phone} />}
      </span>
    </span>
  );
}
