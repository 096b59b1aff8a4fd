import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useState, type ReactNode } from 'react';
import type { Address } from '#contract/addresses.ts';
import { addressLine } from '#contract/practice/address-line.ts';
import { Combobox } from '#web/panel/ui/combobox.tsx';
import css from './address-search.module.css';
import { useAddresses } from './use-addresses.ts';

/** Searches the national register while the person types the practice's name, street or NPI. */
export function AddressSearch({ error, onChoose }: { error: ReactNode; onChoose: (address: Address) => void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const { found, enough, waits, failed } = useAddresses(typed);
  const count = found.length;
  const status = !enough
    ? ''
    : failed
      ? t`Search isn’t available right now. Try again, or add your address below.`
      : waits
        ? ''
        : count === 0
          ? t`No practice found. Check the spelling, or add your address below.`
          : plural(count, { one: '# practice found', other: '# practices found' });
  return (
    <Combobox
      label={t`Address of practice`}
      hint={t`Search by practice name, street or NPI, then choose it from the list.`}
      error={error}
      name="address"
      placeholder={t`For example: Maple Street Pediatrics, Brooklyn`}
      maxLength={200}
      value={typed}
      onType={setTyped}
      choices={failed ? [] : found}
      keyOf={({ _id }) => _id}
      show={(address) => <AddressOption address={address} />}
      onChoose={onChoose}
      listLabel={t`Practices found`}
      status={status}
      busy={waits}
    />
  );
}

function AddressOption({ address }: { address: Address }) {
  const { npi, name, otherName } = address;
  return (
    <>
      <span className={css.name}>{name}</span>
      {otherName && <span className={css.more}>{otherName}</span>}
      <span className={css.more}>{addressLine(address)} </span>
      <span className={css.more}>NPI {npi}</span>
    </>
  );
}
