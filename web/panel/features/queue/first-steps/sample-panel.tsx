import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useState, type FormEvent } from 'react';
import { Time } from '#web/kit/format.tsx';
import { useSession } from '#web/kit/session.ts';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { InfoIcon } from '#web/icons/info.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { TextArea } from '#web/panel/ui/field.tsx';
import talk from '#web/panel/features/queue/texting/conversation.module.css';
import css from './sample.module.css';
import { formsOfSample, sampleQueue } from './sample-queue.ts';
import type { SampleMessage, SamplePatient } from './sample-store.ts';
import { VisitActions } from '#web/panel/features/queue/moves/visit-actions.tsx';
import { VisitHeading } from '#web/panel/features/queue/patient/visit-heading.tsx';
import panel from '#web/panel/features/queue/patient/visit-panel.module.css';

/** A sample patient with the buttons of a real one. Nothing leaves this tab. */
export function SamplePanel({ patient }: { patient: SamplePatient }) {
  const { t } = useLingui();
  const { visit, missingForms } = patient;
  return (
    <div className={panel.panel}>
      <div className={panel.scroll}>
        <div className={panel.column}>
          <div className={panel.top}>
            <span className={panel.back}>
              <IconButton
                label={t`Back`}
                icon={ArrowLeftIcon}
                variant="subtle"
                onClick={() => sampleQueue.select(undefined)}
              />
            </span>
            <VisitHeading visit={visit} />
          </div>
          <div className={panel.stopped}>
            <Banner tone="amber" icon={InfoIcon}>
              {t`Sample patient. Try every button: nothing is saved, and no text is sent.`}
            </Banner>
          </div>
          <Card
            level={3}
            title={t`Forms`}
            actions={
              <span className={css.count}>{t`${formsOfSample - missingForms} of ${formsOfSample} complete`}</span>
            }
          >
            {missingForms === 0 ? (
              <p>{t`All forms are complete.`}</p>
            ) : (
              <Button icon={SendIcon} onClick={() => sampleQueue.requestForms(visit.id)}>
                {t`${plural(missingForms, { one: 'Request # missing form', other: 'Request # missing forms' })}`}
              </Button>
            )}
          </Card>
          <SampleTalk key={visit.id} patient={patient} />
        </div>
      </div>
      <VisitActions visit={visit} isToday move={({ id }, move, reason) => sampleQueue.move(id, move, reason)} />
    </div>
  );
}

function SampleTalk({ patient: { visit, messages } }: { patient: SamplePatient }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const messageText = useSampleTexts();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    sampleQueue.write(visit.id, text.trim());
    setText('');
  };
  return (
    <Card level={3} title={t`Notifications`} className={panel.talk}>
      <div className={panel.thread}>
        {messages.length === 0 ? (
          <p className={talk.none}>{t`No messages yet.`}</p>
        ) : (
          <ol className={talk.conversation} tabIndex={0} aria-label={t`Conversation`}>
            {messages.map((message, i) => (
              <li key={i} className={classNames(talk.message, message.from === 'office' ? talk.ours : talk.theirs)}>
                <p className={talk.body} dir="auto">
                  {messageText(message)}
                </p>
                <p className={talk.about}>
                  <Time at={message.at} />
                  {message.from === 'office' && <> · {t`Practice only, not sent`}</>}
                </p>
              </li>
            ))}
          </ol>
        )}
      </div>
      <form className={talk.box} onSubmit={send}>
        <TextArea label={t`Message to patient`} value={text} onChange={(event) => setText(event.target.value)} />
        <div className={talk.send}>
          <span className={talk.hint}>{t`The sample patient answers after a moment.`}</span>
          <Button type="submit" icon={SendIcon} locked={text.trim() === ''}>
            {t`Send`}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** What a sample's message says. */
function useSampleTexts(): (message: SampleMessage) => string {
  const { t } = useLingui();
  const office = useSession().office?.officeName ?? '';
  return ({ kind, body }) =>
    ({
      invite: t`${office}: we are ready for you. Please come in now.`,
      reinvite: t`${office}: we are still waiting for you. Please come in now.`,
      forms: t`${office}: please finish your forms before your visit.`,
      message: body ?? '',
      'on-my-way': t`On my way!`,
      thanks: t`Thanks, got it.`,
    })[kind];
}
