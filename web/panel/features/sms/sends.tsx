import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState, type ReactElement } from 'react';
import type { SmsSend } from '#contract/sms.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { ConfirmDialog } from '#web/panel/ui/dialog.tsx';
import css from './sms.module.css';
import { useCancelSend, useSends } from './use-sends.ts';
import { useTimeName } from './use-time-name.ts';

/** The newest sends to several people: how far each is, and its one button. Nothing without any. */
export function Sends() {
  const { t } = useLingui();
  const sends = useSends();
  const [sendToCancel, setSendToCancel] = useState<SmsSend | null>(null);
  const cancel = useCancelSend();
  // The numbers in the question follow the send while it goes on.
  const current = sends.find(({ id }) => id === sendToCancel?.id) ?? sendToCancel;
  if (sends.length === 0) return null;
  return (
    <section className={css.sends} aria-label={t`Texts to several people`}>
      <ul className={css.list}>
        {sends.map((send) => (
          <li key={send.id} className={css.item}>
            <div className={css.about}>
              <SendTitle send={send} />
              <p className={css.sendBody} dir="auto">
                {send.body}
              </p>
            </div>
            {send.toGo > 0 && (
              <div className={css.end}>
                <Button size="s" onClick={() => setSendToCancel(send)}>
                  <Plural
                    value={send.toGo}
                    one="Cancel the # that has not gone out"
                    other="Cancel the # that have not gone out"
                  />
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {sendToCancel && current && (
        <ConfirmDialog
          title={
            <Plural value={current.toGo} _0="All of them have gone out" one="Cancel # text?" other="Cancel # texts?" />
          }
          confirm={t`Cancel the texts`}
          keep={t`Keep them`}
          danger
          busy={cancel.isPending}
          onConfirm={() => !cancel.isPending && cancel.mutate(current.id, { onSettled: () => setSendToCancel(null) })}
          onClose={() => setSendToCancel(null)}
        >
          {current.toGo > 0 && <p>{t`They will not be sent. This cannot be undone.`}</p>}
          {current.gone > 0 && (
            <p>
              <Plural
                value={current.gone}
                one="# text of this send has gone out already, and stays sent."
                other="# texts of this send have gone out already, and stay sent."
              />
            </p>
          )}
        </ConfirmDialog>
      )}
    </section>
  );
}

/** "Text to 182 people, 10:05 AM, by Mina", and below: "60 sent · 122 to go". */
function SendTitle({ send }: { send: SmsSend }) {
  const timeName = useTimeName();
  const { people, sentBy, gone, failed, canceled, toGo, held, startedAt, lastSendAt } = send;
  const at = timeName(startedAt);
  return (
    <>
      <p className={css.sendTitle}>
        <Plural
          value={people}
          one={`Text to # person, ${at}, by ${sentBy}`}
          other={`Text to # people, ${at}, by ${sentBy}`}
        />
      </p>
      <p className={css.note}>
        <Parts
          parts={[
            <Plural key="gone" value={gone} one="# sent" other="# sent" />,
            toGo - held > 0 && <Plural key="go" value={toGo - held} one="# to go" other="# to go" />,
            held > 0 && <Plural key="held" value={held} one="# held" other="# held" />,
            failed > 0 && <Plural key="failed" value={failed} one="# failed" other="# failed" />,
            canceled > 0 && <Plural key="canceled" value={canceled} one="# canceled" other="# canceled" />,
            lastSendAt !== null && <Trans key="last">the last one goes out {timeName(lastSendAt)}</Trans>,
          ]}
        />
      </p>
    </>
  );
}

function Parts({ parts }: { parts: readonly (ReactElement | false)[] }) {
  return parts
    .filter((part) => part !== false)
    .map((part, i) => (
      <span key={part.key}>
        {i > 0 && ' · '}
        {part}
      </span>
    ));
}
