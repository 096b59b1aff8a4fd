import { useLingui } from '@lingui/react/macro';
import { useSingleKeys } from '#web/kit/keyboard-shortcuts.ts';
import { useSavePreference } from '#web/kit/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { Kbd } from '#web/panel/ui/kbd.tsx';
import css from '#web/panel/features/queue/page/dialogs.module.css';

/** Lists the queue's keyboard shortcuts, with a switch that turns single keys off. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const save = useSavePreference();
  const on = useSingleKeys();
  const keys: [string[], string][] = [
    [['J', 'K'], t`Next and previous patient`],
    [['I'], t`Invite`],
    [['R'], t`Reinvite`],
    [['H'], t`Move to History`],
    [['M'], t`Write a message`],
    [['Esc'], t`Back to the list`],
    [['F'], t`Open the patient’s forms`],
    [['Shift', 'F'], t`Request all missing forms`],
    [['1', '…', '5'], t`Show one stage of the queue`],
    [['E'], t`Expected patients`],
    [['U'], t`Undo the last move to History (also Ctrl+Z)`],
    [['/'], t`Search`],
    [['N'], t`Text a patient`],
    [['Ctrl', 'K'], t`Search or run a command`],
    [['?'], t`Show shortcuts`],
  ];
  const footer = <Button onClick={onClose}>{t`Close`}</Button>;
  return (
    <Dialog title={t`Keyboard shortcuts`} onClose={onClose} footer={footer} size="s">
      <dl className={css.keys}>
        {keys.map(([names, action]) => (
          <div key={action}>
            <dt>
              {names.map((name) => (
                <Kbd key={name}>{name}</Kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        toggle
        label={t`Single-key shortcuts`}
        hint={t`Switch them off if you press them by accident. Ctrl shortcuts stay on.`}
        checked={on}
        onChange={(event) => void save({ singleKeys: event.target.checked })}
      />
    </Dialog>
  );
}
