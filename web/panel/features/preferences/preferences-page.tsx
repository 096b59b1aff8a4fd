import { useLingui } from '@lingui/react/macro';
import { setScheme, type SchemeChoice } from '#web/kit/color-scheme.ts';
import { useSavePreference, useSession, type Preferences } from '#web/kit/session.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { Choices } from './choices.tsx';
import css from './preferences.module.css';

/** How the panel looks and reacts to keys for this person, on every device. */
export function PreferencesPage() {
  const { t } = useLingui();
  const preferences = useSession().person?.preferences as Preferences | undefined;
  const { theme = 'auto', density = 'comfortable', singleKeys = true, privacy = false } = preferences ?? {};
  const save = useSavePreference();
  const choose = (choice: Preferences) => void save(choice);
  const color = (chosen: SchemeChoice) => {
    setScheme(chosen);
    choose({ theme: chosen });
  };
  return (
    <>
      <Card title={t`Colors`}>
        <Choices
          legend={t`Colors`}
          hideLegend
          value={theme}
          onChange={color}
          choices={[
            { value: 'auto', label: t`Use system setting` },
            { value: 'light', label: t`Light` },
            { value: 'dark', label: t`Dark` },
          ]}
        />
      </Card>
      <Card title={t`Queue density`}>
        <Choices
          legend={t`Queue density`}
          hideLegend
          value={density}
          onChange={(chosen) => choose({ density: chosen })}
          choices={[
            { value: 'comfortable', label: t`Comfortable`, hint: t`Two lines for each patient` },
            { value: 'compact', label: t`Compact`, hint: t`One line for each patient: more at a glance` },
          ]}
        />
      </Card>
      <Card title={t`At the desk`}>
        <div className={css.stack}>
          <Checkbox
            toggle
            label={t`Privacy mode: initials only`}
            hint={t`For a screen that patients can see. Names, numbers and birthdays are shortened.`}
            checked={privacy}
            onChange={(event) => choose({ privacy: event.target.checked })}
          />
          <Checkbox
            toggle
            label={t`Single-key shortcuts`}
            hint={t`J, K, I, R, H and others act on the queue without Ctrl. Switch them off if you press keys by accident or speak to your computer.`}
            checked={singleKeys}
            onChange={(event) => choose({ singleKeys: event.target.checked })}
          />
        </div>
      </Card>
    </>
  );
}
