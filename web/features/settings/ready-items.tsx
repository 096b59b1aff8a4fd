import { useLingui } from '@lingui/react/macro';
import { readyItems, type ReadyItem } from '#contract/office.ts';
import { Checkbox } from '#web/ui/plain/field.tsx';
import css from './queue-settings-form.module.css';

interface Props {
  chosen: readonly ReadyItem[];
  onChange: (chosen: ReadyItem[]) => void;
}

/** What has to be done before a patient counts as ready. */
export function ReadyItems({ chosen, onChange }: Props) {
  const { t } = useLingui();
  const names: Record<ReadyItem, string> = {
    insuranceCard: t`Insurance Card`,
    photoId: t`Photo ID`,
    healthHistory: t`Health History`,
    screening: t`COVID screening`,
    consent: t`Consent, signed`,
    copay: t`Copay paid`,
  };
  const change = (item: ReadyItem, on: boolean) =>
    onChange(readyItems.filter((one) => (one === item ? on : chosen.includes(one))));
  return (
    <div className={css.ready} role="group" aria-label={t`What makes a visit ready`}>
      {readyItems.map((item) => (
        <Checkbox
          key={item}
          label={names[item]}
          checked={chosen.includes(item)}
          onChange={(event) => change(item, event.target.checked)}
        />
      ))}
    </div>
  );
}
