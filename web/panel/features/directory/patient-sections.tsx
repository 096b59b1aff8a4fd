import { Plural, useLingui } from '@lingui/react/macro';
import type { PatientFile } from '#contract/directory.ts';
import { DownloadIcon } from '#web/icons/download.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { formatTime, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { FormTime, useDownloadForm } from '#web/panel/features/forms/index.ts';
import { PatientBirthday, PatientName, VisitStatusBadge } from '#web/panel/features/queue/index.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import css from './directory.module.css';
import { PlainDay } from '#web/kit/plain-day.tsx';
import { useOpenConversation } from './use-directory.ts';

interface SectionProps {
  file: PatientFile;
}

export function Visits({ file: { visits, moreVisits } }: SectionProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const zone = useOfficeZone();
  return (
    <Card title={t`Visits`} level={3}>
      {visits.length === 0 && <p className={css.facts}>{t`No visits yet.`}</p>}
      <ul className={css.entries}>
        {visits.map(({ id, day, arrivedAt, status, endReason, people }) => (
          <li key={id} className={css.entry}>
            <div className={css.entryText}>
              <p>
                <PlainDay day={day} />
                {arrivedAt && <> · {t`Arrived ${formatTime(arrivedAt, language, zone)}`}</>}
              </p>
              <p className={css.facts}>
                {people.map((name, i) => (
                  <span key={i}>
                    {i > 0 && ', '}
                    <PatientName name={name} />
                  </span>
                ))}
              </p>
            </div>
            <VisitStatusBadge visit={{ statusCode: status, endReason, autoInviteAt: null }} />
          </li>
        ))}
      </ul>
      {moreVisits && <p className={css.facts}>{t`Only the newest visits are shown.`}</p>}
    </Card>
  );
}

type Form = PatientFile['forms'][number];

export function Forms({ file: { forms, moreForms }, onOpen }: SectionProps & { onOpen: (form: Form) => void }) {
  const { t } = useLingui();
  return (
    <Card title={t`Forms`} level={3}>
      {forms.length === 0 && <p className={css.facts}>{t`No forms yet.`}</p>}
      <ul className={css.entries}>
        {forms.map((form) => (
          <FormRow key={form.id} form={form} onOpen={() => onOpen(form)} />
        ))}
      </ul>
      {moreForms && <p className={css.facts}>{t`Only the newest forms are shown.`}</p>}
    </Card>
  );
}

function FormRow({ form, onOpen }: { form: Form; onOpen: () => void }) {
  const { t } = useLingui();
  const download = useDownloadForm();
  const { formName, objectKey, patientName, completedAt } = form;
  return (
    <li className={css.entry}>
      <div className={css.entryText}>
        <p>{formName}</p>
        <p className={css.facts}>
          <PatientName name={patientName} /> · <FormTime at={completedAt} />
        </p>
        <ErrorText error={download.error} />
      </div>
      <div className={css.buttons}>
        <Button size="s" icon={FormIcon} onClick={onOpen}>
          {t`Open`}
          <VisuallyHidden> {formName}</VisuallyHidden>
        </Button>
        <IconButton
          label={t`Download ${formName}`}
          icon={DownloadIcon}
          size="s"
          tip="below-end"
          aria-busy={download.isPending || undefined}
          onClick={() => download.isPending || download.mutate(objectKey)}
        />
      </div>
    </li>
  );
}

/** The newest message, and the way to the conversation in the inbox. */
export function Messages({ file }: SectionProps) {
  const { t } = useLingui();
  const { flags } = useSession();
  const open = useOpenConversation();
  const { conversation } = file;
  if (flags.sendSMSEnabled === false) return null;
  return (
    <Card
      title={t`Messages`}
      level={3}
      actions={
        <Button size="s" icon={MessageIcon} busy={open.isPending} onClick={() => open.mutate(file)}>
          {conversation ? t`Open conversation` : t`Write a message`}
        </Button>
      }
    >
      {conversation && conversation.messages > 0 ? (
        <>
          <p className={css.lastMessage} dir="auto">
            {conversation.lastBody}
          </p>
          <p className={css.facts}>
            <OfficeMoment at={conversation.lastSent} /> ·{' '}
            <Plural value={conversation.messages} one="# message" other="# messages" />
            {conversation.unread > 0 && (
              <>
                {' '}
                <Counter strong>
                  {conversation.unread}
                  <VisuallyHidden> {t`unread`}</VisuallyHidden>
                </Counter>
              </>
            )}
          </p>
        </>
      ) : (
        <p className={css.facts}>{t`No messages yet.`}</p>
      )}
    </Card>
  );
}

/** Everybody who checked in with this phone; nothing if that is only its owner. */
export function Family({ file: { family } }: SectionProps) {
  const { t } = useLingui();
  if (family.length < 2) return null;
  return (
    <Card title={t`Who checks in with this phone`} level={3}>
      <ul className={css.entries}>
        {family.map(({ name, birthDate }, i) => (
          <li key={i} className={css.entry}>
            <PatientName name={name} />
            {birthDate && (
              <span className={css.facts}>
                <PatientBirthday date={birthDate} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
