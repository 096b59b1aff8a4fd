import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { isHistory, isInside, type MemberForms, type QueueEntry, type VisitMessage } from '#contract/queue.ts';
import { SendIcon } from '#web/icons/send.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { FormRow } from './form-row.tsx';
import css from './forms-card.module.css';
import { lastRequest, rests } from './last-request.ts';
import { useShownName } from '#web/panel/features/queue/privacy.tsx';
import { useAskForForm } from './use-ask-for-form.ts';
import { formsCardId, noTextsId } from '#web/panel/features/queue/keys/panel-places.ts';
import { useNow } from '#web/kit/clock.ts';

interface FormsCardProps {
  visit: QueueEntry;
  /** Only today's patients can be asked for a form. */
  isToday: boolean;
  /** Undefined while they load. */
  memberForms: readonly MemberForms[] | undefined;
  /** The text that requests all missing forms. */
  request: string | null;
  /** The texts that would request one form, by its type. */
  requests: Readonly<Record<string, string>> | undefined;
  messages: readonly VisitMessage[] | undefined;
}

/** Every form of every family member: how far it is, and a way to read or request it. */
export function FormsCard({ visit, isToday, memberForms, request, requests, messages }: FormsCardProps) {
  const { t } = useLingui();
  const shownName = useShownName();
  const forms = memberForms?.flatMap((member) => member.forms) ?? [];
  const all = forms.length;
  const done = forms.filter(({ state }) => state === 'submitted').length;
  const now = useNow();
  const mayRequest = isToday && (!isHistory(visit.statusCode) || isInside(visit, now));
  const isFamily = (memberForms?.length ?? 0) > 1;
  return (
    <Card
      level={3}
      id={formsCardId}
      className={css.card}
      tabIndex={-1}
      title={t`Forms`}
      actions={memberForms && <span className={css.count}>{t`${done} of ${all} complete`}</span>}
    >
      {mayRequest && request !== null && (
        <RequestAll visit={visit} missing={all - done} text={request} messages={messages} />
      )}
      {!memberForms && <Skeleton height={visit.forms.length * 42} />}
      {memberForms?.map((member) => {
        const name = shownName(member.name);
        return (
          <div key={member.memberId} className={css.member}>
            {isFamily && (
              <h4 className={css.title}>
                <bdi>{name}</bdi>
              </h4>
            )}
            <ul aria-label={isFamily ? t`Forms of ${name}` : t`Forms`}>
              {member.forms.map((form) => (
                <FormRow
                  key={form.formType}
                  visit={visit}
                  form={form}
                  person={isFamily ? name : undefined}
                  last={lastRequest(messages, form.formType)}
                  text={requests?.[form.formType]}
                  mayRequest={mayRequest && visit.forms.some(({ indicator }) => indicator === form.formType)}
                />
              ))}
            </ul>
          </div>
        );
      })}
    </Card>
  );
}

interface RequestAllProps extends Pick<FormsCardProps, 'visit' | 'messages'> {
  missing: number;
  text: string;
}

/** Requests all missing forms in one text, which is shown before it is sent; not from a number that gets no texts. */
function RequestAll({ visit, missing, text, messages }: RequestAllProps) {
  const { t } = useLingui();
  const id = useId();
  const { ask, isSending, failed } = useAskForForm(visit);
  const isResting = rests(lastRequest(messages), useNow());
  const isBlocked = visit.textBlock !== null;
  return (
    <div className={css.request}>
      <Button
        variant="filled"
        icon={SendIcon}
        busy={isSending}
        locked={isResting || isBlocked}
        data-ask-all-forms
        keyHint="Shift+F"
        aria-describedby={isBlocked ? noTextsId : id}
        onClick={ask}
      >
        {isResting && !isBlocked
          ? t`All requested`
          : t`${plural(missing, { one: 'Request # missing form', other: 'Request # missing forms' })}`}
      </Button>
      {!isBlocked && (
        <p id={id} className={css.preview} lang={visit.language} dir="auto">
          {text}
        </p>
      )}
      {failed && (
        <p className={css.bad} role="alert">
          {failed}
        </p>
      )}
    </div>
  );
}
