import { useState } from 'react';
import { ComboBox } from '#web/ui/mantine/combo-box.tsx';
import { WithMantine } from '#web/ui/mantine/with-mantine.tsx';
import css from './gallery.module.css';

const states = ['Alabama', 'Alaska', 'American Samoa', 'Arizona'].map((name) => ({ value: name, label: name }));

/** Mantine knows one colour scheme per page: these follow the page's. */
export function LargerParts() {
  const [state, setState] = useState<string | null>(null);
  return (
    <WithMantine>
      <div className={css.stack}>
        <ComboBox label="State" choices={states} value={state} onChange={setState} />
        <ComboBox
          label="State, wrong"
          error="Please select your practice's state"
          choices={states}
          value="Alaska"
          onChange={setState}
        />
      </div>
    </WithMantine>
  );
}
