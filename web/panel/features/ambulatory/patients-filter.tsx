import { useLingui } from '@lingui/react/macro';
import type { Ref } from 'react';
import { Checkbox, SearchInput, Select } from '#web/panel/ui/field.tsx';
import css from './ambulatory.module.css';
import {
  painColumns,
  patientKinds,
  shownKinds,
  withKind,
  withSort,
  type PatientKind,
  type PatientsSearch,
} from './patients-search.ts';

interface PatientsFilterProps {
  address: PatientsSearch;
  search: string;
  searchBox: Ref<HTMLInputElement>;
  onShow: (address: PatientsSearch) => void;
  onSearch: (text: string) => void;
}

/** Who is in the list: by name, and by what the checkboxes show. On a phone, where the table has no headings, also in which order. */
export function PatientsFilter({ address, search, searchBox, onShow, onSearch }: PatientsFilterProps) {
  const { t } = useLingui();
  const shown = shownKinds(address);
  const labels: Record<PatientKind, string> = {
    active: t({ message: 'Active', context: 'patients' }),
    pending: t({ message: 'Pending', context: 'patients' }),
    ended: t({ message: 'Ended', context: 'patients' }),
    complete: t({ message: 'Complete', context: 'patients' }),
    incomplete: t({ message: 'Incomplete', context: 'patients' }),
  };
  return (
    <div className={css.filter}>
      <SearchInput
        ref={searchBox}
        label={t`Search by patient name`}
        placeholder={t`Patient name`}
        keyHint="/"
        value={search}
        autoComplete="off"
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onSearch('')}
      />
      <div className={css.kinds} role="group" aria-label={t`Show`}>
        {patientKinds.map((kind) => (
          <Checkbox
            key={kind}
            label={labels[kind]}
            checked={shown.includes(kind)}
            onChange={(event) => onShow(withKind(address, kind, event.target.checked))}
          />
        ))}
      </div>
      <div className={css.order}>
        <Select
          label={t`Order`}
          value={address.sort ?? ''}
          onChange={(event) => {
            const { sort: _, ascending: __, ...unsorted } = address;
            const column = painColumns.find((name) => name === event.target.value);
            onShow(column ? withSort(unsorted, column) : unsorted);
          }}
        >
          <option value="">{t`Newest first`}</option>
          <option value="stationary">{t`Most pain at rest first`}</option>
          <option value="movement">{t`Most pain when moving first`}</option>
        </Select>
      </div>
    </div>
  );
}
