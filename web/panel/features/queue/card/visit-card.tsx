import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { memo } from 'react';
import { isHistory, type QueueEntry } from '#contract/queue.ts';
import { Minutes, Time } from '#web/kit/format.tsx';
import { Avatar } from '#web/panel/ui/avatar.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { CheckIcon } from '#web/icons/check.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { PeopleIcon } from '#web/icons/people.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { CardWarnings } from './card-warnings.tsx';
import { formCounts, isPending, useFormLabels } from '#web/panel/features/queue/forms/form-labels.ts';
import { minutesOnCard, type Lateness } from '#web/panel/features/queue/list/lateness.ts';
import { PaymentMark } from './payment-mark.tsx';
import { PatientName, usePrivacy } from '#web/panel/features/queue/privacy.tsx';
import { refusedMoves } from '#web/panel/features/queue/moves/refused-moves.ts';
import { hasNews } from '#web/panel/features/queue/texting/text-trouble.ts';
import css from './visit-card.module.css';
import { VisitStatusBadge } from './visit-status.tsx';

export type Density = 'comfortable' | 'compact';

/** The height of a card, px, as the style sheet has it. */
export function cardHeight(visit: QueueEntry, density: Density): number {
  if (density === 'compact') return 28;
  return hasNews(visit) ? 92 : 70;
}

interface VisitCardProps {
  visit: QueueEntry;
  /** ms since 1970, by the server's clock. */
  now: number;
  late: Lateness;
  selected: boolean;
  /** In the Checkin tab, not in History. */
  isInQueue: boolean;
  /** Arrived while this desk was watching, and nobody here has opened it yet. */
  isNew: boolean;
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
  isInQueue,
  isNew,
  density,
  top,
  place,
  of,
}: VisitCardProps) {
  const refused = refusedMoves.useHeld(visit.id);
  const isNews = hasNews(visit);
  return (
    <div
      id={cardId(visit.id)}
      role="option"
      aria-selected={selected}
      aria-posinset={place}
      aria-setsize={of}
      className={classNames(css.card, css[density], isNews && css.withNews, isNew && css.new, css[late])}
      style={{ transform: `translateY(${top}px)` }}
    >
      <Avatar name={visit.patientName} />
      <span className={css.name}>
        <PatientName name={visit.patientName} phone={visit.username} />
      </span>
      <span className={css.time}>
        <Unread count={visit.unreadMessages} />
        <Household count={visit.activePatients.length - 1} />
        <span className={css.arrived}>
          <Time at={visit.createdAt} />
        </span>
      </span>
      {refused ? (
        <span className={css.refused}>{refused.message}</span>
      ) : (
        <span className={css.line}>
          <VisitStatusBadge visit={visit} />
          <Stay minutes={minutesOnCard(visit, now, isInQueue)} late={late} />
          <CardWarnings visit={visit} urgent={false} />
          <PaymentMark visit={visit} />
          <Forms visit={visit} />
        </span>
      )}
      {isNews && (
        <span className={css.news}>
          <CardWarnings visit={visit} urgent />
          <MessageStart text={visit.unreadText} />
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

/** The minutes that count, marked when they are too many. */
function Stay({ minutes, late }: { minutes: number; late: Lateness }) {
  const { t } = useLingui();
  return (
    <span className={css.stay}>
      {late !== 'none' && <WarningIcon size={14} />}
      <Minutes value={minutes} />
      {late !== 'none' && <VisuallyHidden> {late === 'red' ? t`very late` : t`late`}</VisuallyHidden>}
    </span>
  );
}

/** Messages of the patient that no desk has read. */
export function Unread({ count }: { count: number }) {
  const { t } = useLingui();
  if (count < 1) return null;
  const label = t`${plural(count, { one: '# unread message', other: '# unread messages' })}`;
  return (
    <span className={css.unread} title={label}>
      <MessageIcon size={12} />
      <span aria-hidden="true">{count}</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}

/** How the newest unread message begins. Not on a screen that patients can see. */
function MessageStart({ text }: { text: string | null }) {
  const privacy = usePrivacy();
  return text !== null && !privacy && <q className={css.message}>{text}</q>;
}

function Household({ count }: { count: number }) {
  const { t } = useLingui();
  if (count < 1) return null;
  const label = t`${plural(count, { one: '+# family member', other: '+# family members' })}`;
  return (
    <span className={css.mark} title={label}>
      <PeopleIcon size={14} />
      <span aria-hidden="true">+{count}</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}

/** How many of the whole party's forms are ready: in green when all are, in amber while one is missing. */
function Forms({ visit: { forms, statusCode } }: { visit: QueueEntry }) {
  const { t } = useLingui();
  const formLabel = useFormLabels();
  if (forms.length === 0) return null;
  const { done, all } = formCounts(forms);
  const pending = !isHistory(statusCode) && forms.some(isPending);
  const each = forms.map((form) => {
    const { name, message } = formLabel(form);
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
