import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useState, type ReactNode } from 'react';
import { useSession } from '#web/kit/session.ts';
import { initialsOf } from '#web/panel/ui/avatar.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { ChevronDownIcon } from '#web/icons/chevron-down.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { useActionMessage, useActorName, useRefusalMessage } from './audit-messages.tsx';
import css from './audit.module.css';
import { foldEntries } from './fold-entries.ts';
import { OfficeTime, useDayName } from './office-time.tsx';
import type { AuditEntry } from './use-audit.ts';

/** One table for each day of the office. */
export function AuditList({ entries }: { entries: readonly AuditEntry[] }) {
  const dayName = useDayName();
  const days = Map.groupBy(entries, ({ at }) => dayName(at));
  return [...days].map(([day, ofDay]) => (
    <section key={day} className={css.day}>
      <h2 className={css.dayName}>{day}</h2>
      <Day name={day} entries={ofDay} />
    </section>
  ));
}

function Day({ name, entries }: { name: string; entries: readonly AuditEntry[] }) {
  const { t } = useLingui();
  return (
    <table className={css.table} aria-label={name}>
      <thead>
        <tr>
          <th scope="col">{t`When`}</th>
          <th scope="col">{t`Who`}</th>
          <th scope="col">{t`What`}</th>
          <th scope="col">{t`Patient`}</th>
        </tr>
      </thead>
      <tbody>
        {foldEntries(entries).map((group) => (
          <Group key={group[0]?.id} entries={group} />
        ))}
      </tbody>
    </table>
  );
}

/** Entries of one row: one, or the same again and again, which a press shows one by one. */
function Group({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useLingui();
  const messageOf = useActionMessage();
  const [isOpen, setIsOpen] = useState(false);
  const [newest] = entries;
  const oldest = entries.at(-1);
  if (!newest || !oldest) return null;
  if (entries.length === 1) return <Row entry={newest} />;
  const count = entries.length;
  const what = messageOf(newest);
  return (
    <>
      <Row entry={{ ...newest, sealed: entries.every(({ sealed }) => sealed) }} since={oldest.at}>
        <Button
          size="s"
          variant="subtle"
          icon={ChevronDownIcon}
          className={css.times}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <VisuallyHidden>{what} </VisuallyHidden>
          {t`${plural(count, { one: '# time', other: '# times' })}`}
        </Button>
      </Row>
      {isOpen && entries.map((entry) => <Row key={entry.id} entry={entry} isOfGroup />)}
    </>
  );
}

const minuteOf = (at: string) => at.slice(0, 'YYYY-MM-DDTHH:MM'.length);

interface RowProps {
  entry: AuditEntry;
  /** The time of the first entry, for a row of several; `entry` is the last. */
  since?: string;
  isOfGroup?: boolean;
  children?: ReactNode;
}

function Row({ entry, since, isOfGroup = false, children }: RowProps) {
  const { t } = useLingui();
  const who = useActorName()(entry);
  const what = useActionMessage()(entry);
  const refused = useRefusalMessage()(entry);
  const privacy = useSession().person?.preferences.privacy === true;
  const { at, sealed, patientName } = entry;
  return (
    <tr className={isOfGroup ? css.ofGroup : undefined}>
      <td className={css.when}>
        {since !== undefined && minuteOf(since) !== minuteOf(at) && (
          <>
            <OfficeTime at={since} />–
          </>
        )}
        <OfficeTime at={at} seconds={since === undefined} />
        {sealed && (
          <span className={css.seal}>
            <LockIcon size={12} />
            <VisuallyHidden>{t`sealed`}</VisuallyHidden>
          </span>
        )}
      </td>
      <td className={css.who}>
        <bdi>{who}</bdi>
      </td>
      <td className={css.what}>
        {what}
        {children}
        {refused !== null && (
          <span className={css.refused}>
            <WarningIcon size={14} />
            <span>
              {t`Refused:`} {refused}
            </span>
          </span>
        )}
      </td>
      <td className={css.patient}>{patientName && <bdi>{privacy ? initialsOf(patientName) : patientName}</bdi>}</td>
    </tr>
  );
}
