import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { cityLine } from '#contract/practice/address-line.ts';
import { textFields } from '#web/kit/text-field.ts';
import { AddressInputs } from '#web/panel/features/practice/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Checkbox, TextInput } from '#web/panel/ui/field.tsx';
import { BuildingIcon } from '#web/icons/building.tsx';
import { PencilIcon } from '#web/icons/pencil.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import { SearchIcon } from '#web/icons/search.tsx';
import { AddressSearch } from './address-search.tsx';
import { chooseAddress, searchAgain, typeAddress, type Draft, type Field, type TextName } from './practice-draft.ts';
import css from './practice-form.module.css';

export interface AddressFieldsProps {
  draft: Draft;
  change: (next: (draft: Draft) => Draft) => void;
  errorAt: (field: Field) => { error?: string };
}

/** The practice's address: found in the register, or entered by hand. */
export function AddressFields(props: AddressFieldsProps) {
  const { draft, change, errorAt } = props;
  const { t } = useLingui();
  const group = useRef<HTMLFieldSetElement>(null);
  /** Moves the focus to the first field of the other way. */
  const switchTo = (next: (draft: Draft) => Draft) => {
    change(next);
    requestAnimationFrame(() => group.current?.querySelector<HTMLElement>('input, button')?.focus());
  };
  return (
    <fieldset ref={group} className={css.group}>
      <legend className={css.legend}>{t`Find your practice`}</legend>
      {draft.isNewAddress ? (
        <NewAddress {...props} />
      ) : draft.addressId ? (
        <ChosenAddress draft={draft} onChange={() => switchTo(searchAgain)} />
      ) : (
        <AddressSearch
          error={errorAt('address').error}
          onChoose={(found) => switchTo((now) => chooseAddress(now, found))}
        />
      )}
      <div>
        {draft.isNewAddress ? (
          <Button icon={SearchIcon} onClick={() => switchTo(searchAgain)}>{t`Search for the address instead`}</Button>
        ) : (
          <Button icon={draft.addressId ? PencilIcon : PlusIcon} onClick={() => switchTo(typeAddress)}>
            {draft.addressId ? t`Correct this address` : t`Add a new address`}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function ChosenAddress({ draft, onChange }: { draft: Draft; onChange: () => void }) {
  const { t } = useLingui();
  const { addressLine1, npi } = draft;
  return (
    <div className={css.chosen} role="group" aria-label={t`Address of practice`}>
      <BuildingIcon size={20} />
      <div className={css.place}>
        <p>{addressLine1}</p>
        <p>{cityLine(draft)}</p>
        <p className={css.npi}>NPI {npi}</p>
      </div>
      <Button size="s" onClick={onChange}>
        {t`Change`}
      </Button>
    </div>
  );
}

function NewAddress({ draft, change, errorAt }: AddressFieldsProps) {
  const { t } = useLingui();
  const set = (part: Draft) => change((now) => ({ ...now, ...part }));
  // Another state has another time zone.
  const setText = (part: Draft) => set('state' in part ? { ...part, timeZone: null } : part);
  const field = textFields<TextName>(draft, setText, errorAt);
  return (
    <>
      <AddressInputs field={field} required streetLabel={t`Address of practice`} noState={t`Select…`} />
      <TextInput
        label={t`NPI of your practice`}
        hint={t`The ten digits of its National Provider Identifier.`}
        name="npi"
        required={!draft.wantsProvisional}
        inputMode="numeric"
        autoComplete="off"
        maxLength={14}
        disabled={draft.wantsProvisional === true}
        value={draft.wantsProvisional ? '' : (draft.npi ?? '')}
        {...errorAt('npi')}
        onChange={(event) => set({ npi: event.target.value })}
      />
      <Checkbox
        label={t`My practice has no NPI yet`}
        hint={t`You get a provisional number that begins with 9. Patients check in with it until you have your NPI.`}
        checked={draft.wantsProvisional === true}
        onChange={(event) => set({ wantsProvisional: event.target.checked })}
      />
    </>
  );
}
