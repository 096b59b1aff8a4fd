import { Trans, useLingui } from '@lingui/react/macro';
import { allMissingForms, type FormIndicator, type QueueEntry, type VisitMessage } from '#contract/queue.ts';
import { useNow } from '#web/kit/clock.ts';
import { Time } from '#web/kit/format.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { VisuallyHidden } from '#web/panel/ui/visually-hidden.tsx';
import { useFormLabels } from './form-labels.ts';
import { DeliveryStatus, TextDeliveryStatus } from './text-delivery.tsx';
import css from './missing-forms.module.css';
import { useAskForForm } from './use-ask-for-form.ts';

/** Within this time a second press uses the same idempotency key. */
const restsMs = 60_000;

interface MissingFormsProps {
  visit: QueueEntry;
  forms: readonly FormIndicator[];
  messages: readonly VisitMessage[] | undefined;
}

/** The missing forms, each with a button that texts a link to that form. */
export function MissingForms({ visit, forms, messages }: MissingFormsProps) {
  const { t } = useLingui();
  return (
    <div className={css.missing}>
      <div className={css.head}>
        <p className={css.title}>{t`Missing forms`}</p>
        {forms.length > 1 && <AskForAll visit={visit} messages={messages} />}
      </div>
      <ul aria-label={t`Missing forms`}>
        {forms.map((form) => (
          <MissingForm
            key={form.indicator}
            visit={visit}
            form={form}
            last={messages?.findLast(({ askedForm }) => askedForm === form.indicator || askedForm === allMissingForms)}
          />
        ))}
      </ul>
    </div>
  );
}

/** Requests all missing forms in one text. */
function AskForAll({ visit, messages }: Pick<MissingFormsProps, 'visit' | 'messages'>) {
  const { t } = useLingui();
  const { ask, isSending, failed } = useAskForForm(visit);
  const last = messages?.findLast(({ askedForm }) => askedForm === allMissingForms);
  const came = last && last.state !== 'failed' && last.state !== 'cancelled';
  const rests = useNow() - Date.parse(last?.at ?? '1970-01-01') < restsMs && came;
  return (
    <>
      <Button
        size="s"
        icon={SendIcon}
        busy={isSending}
        locked={rests}
        data-ask-all-forms
        keyHint="Shift+F"
        onClick={ask}
      >
        {rests ? t`All requested` : t`Request all`}
      </Button>
      {failed && (
        <span className={css.bad} role="alert">
          {failed}
        </span>
      )}
    </>
  );
}

interface MissingFormProps {
  visit: QueueEntry;
  form: FormIndicator;
  /** The latest text that asked for this form. */
  last: VisitMessage | undefined;
}

function MissingForm({ visit, form, last }: MissingFormProps) {
  const { t } = useLingui();
  const { name } = useFormLabels()(form);
  const { ask, isSending, failed } = useAskForForm(visit, form.indicator, name);
  const came = last && last.state !== 'failed' && last.state !== 'cancelled';
  const rests = useNow() - Date.parse(last?.at ?? '1970-01-01') < restsMs && came;
  return (
    <li className={css.form}>
      <FormIcon size={16} />
      <span className={css.name}>
        {name}
        {form.started > 0 && <span className={css.quiet}> · {t`in progress`}</span>}
      </span>
      <Button size="s" icon={SendIcon} busy={isSending} locked={rests} data-ask-form onClick={ask}>
        {rests ? t`Requested` : last ? t`Request again` : t`Request`}
        <VisuallyHidden>{name}</VisuallyHidden>
      </Button>
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
    </li>
  );
}
