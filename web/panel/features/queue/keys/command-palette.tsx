import { useLingui } from '@lingui/react/macro';
import { useId, useState, type KeyboardEvent } from 'react';
import type { QueueEntry } from '#contract/queue.ts';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { Kbd } from '#web/panel/ui/kbd.tsx';
import { SearchInput } from '#web/panel/ui/field.tsx';
import { PersonIcon } from '#web/icons/person.tsx';
import type { Command } from './palette-commands.ts';
import css from '#web/panel/features/queue/page/dialogs.module.css';
import { PatientName } from '#web/panel/features/queue/privacy.tsx';
import { searchVisits } from '#web/panel/features/queue/list/search-visits.ts';
import { VisitStatusBadge } from '#web/panel/features/queue/card/visit-status.tsx';

const shownAtMost = 30;

interface CommandPaletteProps {
  visits: readonly QueueEntry[];
  commands: readonly Command[];
  onVisit: (visit: QueueEntry) => void;
  onClose: () => void;
}

/** The command palette: finds today's patients and runs commands from the keyboard. */
export function CommandPalette({ visits, commands, onVisit, onClose }: CommandPaletteProps) {
  const { t } = useLingui();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);

  const query = typed.trim().toLocaleLowerCase();
  const actions = commands.filter(({ label }) =>
    query.split(/\s+/).every((word) => label.toLocaleLowerCase().includes(word)),
  );
  const matches = query ? searchVisits(visits, typed).slice(0, shownAtMost) : [];
  const count = actions.length + matches.length;
  const chosen = Math.min(at, Math.max(0, count - 1));

  const run = (index: number) => {
    const visit = matches[index];
    onClose();
    if (visit) onVisit(visit);
    else actions[index - matches.length]?.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && count > 0) setAt((chosen + step + count) % count);
    else if (event.key === 'Enter' && count > 0) run(chosen);
    else return;
    event.preventDefault();
  };
  const option = (index: number) => ({
    id: `${id}-${index}`,
    role: 'option',
    className: css.result,
    'aria-selected': index === chosen,
    ref: index === chosen ? scrollTo : undefined,
    onClick: () => run(index),
  });

  return (
    <Dialog title={t`Search or run a command`} onClose={onClose}>
      <SearchInput
        label={t`Search patients or type a command`}
        placeholder={t`Search patients or type a command`}
        value={typed}
        role="combobox"
        aria-expanded={count > 0}
        aria-controls={count > 0 ? `${id}-list` : undefined}
        aria-activedescendant={count > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {count === 0 ? (
        <p className={css.none} role="status">{t`Nothing found.`}</p>
      ) : (
        <div id={`${id}-list`} role="listbox" aria-label={t`Results`} className={css.results}>
          {matches.map((visit, i) => (
            <div key={visit.id} {...option(i)}>
              <PersonIcon />
              <span className={css.text}>
                <PatientName name={visit.patientName} phone={visit.username} />
              </span>
              <VisitStatusBadge visit={visit} />
            </div>
          ))}
          {actions.map(({ label, icon: CommandIcon, keys }, i) => (
            <div key={label} {...option(matches.length + i)}>
              <CommandIcon />
              <span className={css.text}>{label}</span>
              {keys && <Kbd hint>{keys}</Kbd>}
            </div>
          ))}
        </div>
      )}
    </Dialog>
  );
}

const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });
