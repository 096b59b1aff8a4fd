import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { MemberForm, QueueEntry, VisitMessage } from '#contract/queue.ts';
import { CheckIcon } from '#web/icons/check.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { ShieldIcon } from '#web/icons/shield.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { useNow } from '#web/kit/clock.ts';
import { Time } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { Button, buttonClass } from '#web/panel/ui/button.tsx';
import { StatusBadge, type Tone } from '#web/panel/ui/status-badge.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import css from './forms-card.module.css';
import { noTextsId } from '#web/panel/features/queue/keys/panel-places.ts';
import { rests } from './last-request.ts';
import { DeliveryStatus, TextDeliveryStatus } from '#web/panel/features/queue/texting/text-delivery.tsx';
import { useAskForForm } from './use-ask-for-form.ts';

interface FormRowProps {
  visit: QueueEntry;
  form: MemberForm;
  /** Whose form it is, where a family has several. */
  person: string | undefined;
  /** The latest text that asked for this form. */
  last: VisitMessage | undefined;
  mayRequest: boolean;
  /** The text that its request would send. */
  text: string | undefined;
}

/** One form of one person. A submitted one can be read, a missing one requested. */
export function FormRow({ visit, form, person, last, mayRequest, text }: FormRowProps) {
  const language = useLanguage();
  const name = form.visibleName[language] || form.visibleName.en;
  const { tone, icon, label } = useFormState(form);
  const isMissing = form.state !== 'submitted';
  const request = useAskForForm(visit, form.formType, name);
  const whose = person === undefined ? name : `${name}, ${person}`;
  return (
    <li className={css.form} data-review={form.outcome === 'review' || undefined}>
      <span className={css.name}>{name}</span>
      <StatusBadge tone={tone} icon={icon}>
        {label}
      </StatusBadge>
      <span className={css.action}>
        {form.objectKey !== null && <ViewForm visit={visit} objectKey={form.objectKey} name={whose} />}
        {isMissing && mayRequest && (
          <RequestForm {...request} name={whose} last={last} text={text} isBlocked={visit.textBlock !== null} />
        )}
      </span>
      {isMissing && <RequestFate {...request} last={last} />}
    </li>
  );
}

function useFormState({ state, outcome }: MemberForm): { tone: Tone; icon: Icon; label: string } {
  const { t } = useLingui();
  if (state === 'missing') return { tone: 'gray', icon: FormIcon, label: t`Missing` };
  if (state === 'started') return { tone: 'amber', icon: ClockIcon, label: t`In progress` };
  if (outcome === 'review') return { tone: 'amber', icon: ShieldIcon, label: t`Review` };
  const clear = t({ message: 'Clear', context: 'outcome of a screening' });
  return { tone: 'green', icon: CheckIcon, label: outcome === 'clear' ? clear : t`Complete` };
}

/** Leads to the form in the forms list. The patient's name goes into the history state, never into the address. */
function ViewForm({ visit, objectKey, name }: { visit: QueueEntry; objectKey: string; name: string }) {
  const { t } = useLingui();
  const { useOldFormsScreen: hasOldScreen } = useSession().flags;
  return (
    <Link
      to="/dashboard/forms"
      search={hasOldScreen ? { open: visit.id } : { visit: visit.id, open: objectKey }}
      state={{ visitName: visit.patientName }}
      className={buttonClass({ size: 's' })}
    >
      <span>
        {t({ message: 'View', context: 'open a form' })} <VisuallyHidden>{name}</VisuallyHidden>
      </span>
    </Link>
  );
}

type Request = ReturnType<typeof useAskForForm> & Pick<FormRowProps, 'last'>;

interface RequestFormProps extends Request {
  name: string;
  text: string | undefined;
  /** The number gets no texts. */
  isBlocked: boolean;
}

function RequestForm({ ask, isSending, last, name, text, isBlocked }: RequestFormProps) {
  const { t } = useLingui();
  const isResting = rests(last, useNow());
  return (
    <Button
      size="s"
      icon={SendIcon}
      busy={isSending}
      locked={isResting || isBlocked}
      title={text && !isBlocked ? t`The patient gets: ${text}` : undefined}
      aria-describedby={isBlocked ? noTextsId : undefined}
      onClick={ask}
    >
      {isResting && !isBlocked ? t`Requested` : last ? t`Request again` : t`Request`}{' '}
      <VisuallyHidden>{name}</VisuallyHidden>
    </Button>
  );
}

/** What became of the latest request. */
function RequestFate({ isSending, failed, last }: Request) {
  const { t } = useLingui();
  return (
    <span className={css.fate} role="status">
      {isSending && <DeliveryStatus icon={ClockIcon}>{t`Sending…`}</DeliveryStatus>}
      {failed && <span className={css.bad}>{failed}</span>}
      {!isSending && !failed && last?.state && (
        <>
          <Trans>
            Requested <Time at={last.at} />
          </Trans>
          <span>·</span>
          <TextDeliveryStatus state={last.state} problem={last.problem} />
        </>
      )}
    </span>
  );
}
