import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { memo } from 'react';
import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { Minutes, minutesSince, Time } from '#web/kit/format.tsx';
import { Avatar } from '#web/panel/ui/avatar.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { CheckIcon } from '#web/icons/check.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { PeopleIcon } from '#web/icons/people.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import { CardWarnings } from './card-warnings.tsx';
import { isPending, useFormLabels } from './form-labels.ts';
import { PaymentMark } from './payment-mark.tsx';
import { PatientName } from './privacy.tsx';
import { refusedMoves } from './refused-moves.ts';
import css from './visit-card.module.css';
import { VisitStatusBadge } from './visit-status.tsx';

export type Density = 'comfortable' | 'compact';

interface VisitCardProps {
  visit: QueueEntry;
  /** ms since 1970, by the server's clock. */
  now: number;
  late: boolean;
  selected: boolean;
  density: Density;
  /** Distance from the top of the list, px. */
  top: number;
  /** Position in the list, from 1, and the list's length. */
  place: number;
  of: number;
}

/** A row of the queue: who, since when, status and warnings. */
export const VisitCard = memo(function VisitCard({
  visit,
  now,
  late,
  selected,
  density,
  top,
  place,
  of,
}: VisitCardProps) {
  const refused = refusedMoves.useHeld(visit.id);
  return (
    <div
      id={cardId(visit.id)}
      role="option"
      aria-selected={selected}
      aria-posinset={place}
      aria-setsize={of}
      className={classNames(css.card, css[density], late && css.late)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <Avatar name={visit.patientName} />
      <span className={css.name}>
        <PatientName name={visit.patientName} />
      </span>
      <span className={css.time}>
        <Unread count={visit.unreadMessages} />
        <Household count={visit.activePatients.length - 1} />
        <Time at={visit.createdAt} />
      </span>
      {refused ? (
        <span className={css.refused}>{refused.message}</span>
      ) : (
        <span className={css.line}>
          <VisitStatusBadge visit={visit} />
          <Stay visit={visit} now={now} late={late} />
          <CardWarnings visit={visit} />
          <PaymentMark visit={visit} />
          <Forms visit={visit} />
        </span>
      )}
    </div>
  );
});

const idPrefix = 'visit-';
export const cardId = (visitId: string) => `${idPrefix}${visitId}`;

/** The visit id of the card at an event's target; null between cards. */
export function visitIdAt(target: EventTarget): string | null {
  const card = target instanceof Element ? target.closest('[role=option]') : null;
  return card ? card.id.slice(idPrefix.length) : null;
}

/** Minutes from arrival to now or to the visit's end; marked when late. */
function Stay({ visit, now, late }: { visit: QueueEntry; now: number; late: boolean }) {
  const { t } = useLingui();
  const until = isHistory(visit.statusCode) && visit.endedAt ? Date.parse(visit.endedAt) : now;
  return (
    <span className={css.stay}>
      {late && <WarningIcon size={14} />}
      <Minutes value={minutesSince(visit.createdAt, until)} />
      {late && <VisuallyHidden>{t`late`}</VisuallyHidden>}
    </span>
  );
}

/** Messages of the patient that no desk has read. */
function Unread({ count }: { count: number }) {
  const { t } = useLingui();
  if (count < 1) return null;
  const words = t`${plural(count, { one: '# unread message', other: '# unread messages' })}`;
  return (
    <span className={css.unread} title={words}>
      <MessageIcon size={12} />
      <span aria-hidden="true">{count}</span>
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  );
}

function Household({ count }: { count: number }) {
  const { t } = useLingui();
  if (count < 1) return null;
  return (
    <span className={css.mark} title={t`${count} more of the household`}>
      <PeopleIcon size={14} />
      <span aria-hidden="true">+{count}</span>
      <VisuallyHidden>{t`${count} more of the household`}</VisuallyHidden>
    </span>
  );
}

/** How many forms are ready: in green when all are, in amber while one is missing. */
function Forms({ visit: { forms, statusCode } }: { visit: QueueEntry }) {
  const { t } = useLingui();
  const formWords = useFormLabels();
  if (forms.length === 0) return null;
  const done = forms.filter((form) => form.complete).length;
  const all = forms.length;
  const pending = !isHistory(statusCode) && forms.some(isPending);
  const each = forms.map((form) => {
    const { name, message } = formWords(form);
    return `${name} · ${message}`;
  });
  return (
    <span
      className={classNames(css.forms, done === all ? css.ready : pending && css.pending)}
      title={[t`Forms: ${done} of ${all}`, ...each].join('\n')}
    >
      {done === all ? <CheckIcon size={12} /> : <FormIcon size={12} />}
      <span aria-hidden="true">
        {done}/{all}
      </span>
      <VisuallyHidden>{t`Forms: ${done} of ${all}`}</VisuallyHidden>
    </span>
  );
}
