import { useLingui } from '@lingui/react/macro';
import { useSession } from '#web/kit/session.ts';
import { initialsOf } from '#web/panel/ui/avatar.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { useActionMessage, useActorName, useRefusalMessage } from './audit-messages.tsx';
import css from './audit.module.css';
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
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ entry }: { entry: AuditEntry }) {
  const { t } = useLingui();
  const who = useActorName()(entry);
  const what = useActionMessage()(entry);
  const refused = useRefusalMessage()(entry);
  const privacy = useSession().person?.preferences.privacy === true;
  const { at, sealed, patientName } = entry;
  return (
    <tr>
      <td className={css.when}>
        <OfficeTime at={at} seconds />
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
