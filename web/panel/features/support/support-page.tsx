import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { emailPattern } from '#contract/email.ts';
import { readSupport, writeToSupport } from '#contract/support.ts';
import { formatPhone } from '#contract/phone-format.ts';
import { call, type BodyOf } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useSession } from '#web/kit/session.ts';
import { productName } from '#web/kit/title.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button, buttonClass } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { TextArea, TextInput } from '#web/panel/ui/field.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { PhoneIcon } from '#web/icons/phone.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './support.module.css';

/** How to reach the operator of this installation: by phone or in writing. */
export function SupportPage() {
  const { t } = useLingui();
  const support = useQuery({ queryKey: ['support'], queryFn: ({ signal }) => call(readSupport, {}, { signal }) });
  return (
    <>
      {support.isPending && (
        <Card>
          <Skeleton height={260} />
        </Card>
      )}
      {support.isError && <LoadError title={t`Support could not be loaded`} query={support} />}
      {support.data?.phone && <Call phone={support.data.phone} />}
      {support.data?.canWrite && <Write />}
      {support.data && !support.data.phone && !support.data.canWrite && (
        <Card>
          <p>{t`Ask whoever set ${productName} up for your practice. They can add a phone number and an email address here.`}</p>
        </Card>
      )}
    </>
  );
}

function Call({ phone }: { phone: string }) {
  const { t } = useLingui();
  return (
    <Card title={t`Call us`}>
      <a className={buttonClass({ size: 'l' })} href={`tel:${phone}`}>
        <PhoneIcon />
        <bdi dir="ltr">{formatPhone(phone)}</bdi>
      </a>
    </Card>
  );
}

/** The input stays until it was sent. */
function Write() {
  const { t } = useLingui();
  const { person } = useSession();
  const [replyTo, setReplyTo] = useState(person?.email ?? '');
  const [body, setBody] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const send = useMutation({
    mutationFn: (message: BodyOf<typeof writeToSupport>) => call(writeToSupport, { body: message }),
    onSuccess() {
      setBody('');
      setTried(false);
    },
  });
  const wrong = { replyTo: !emailPattern.test(replyTo.trim()), body: body.trim() === '' };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!wrong.replyTo && !wrong.body) return send.mutate({ replyTo: replyTo.trim(), body: body.trim() });
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  return (
    <Card title={t`Write to us`}>
      <form ref={form} className={css.form} noValidate onSubmit={submit}>
        <p>{t`We answer by email. Please leave out patients’ names and details.`}</p>
        <TextInput
          label={t`Your email`}
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={replyTo}
          {...(tried && wrong.replyTo && { error: t`Invalid email` })}
          onChange={(event) => setReplyTo(event.target.value)}
        />
        <TextArea
          label={t`Message`}
          rows={6}
          maxLength={4000}
          value={body}
          {...(tried && wrong.body && { error: t`Please write a message first.` })}
          onChange={(event) => {
            setBody(event.target.value);
            if (send.isSuccess) send.reset();
          }}
        />
        {send.isError && <Banner tone="red">{errorMessage(send.error, t`The server could not be reached.`)}</Banner>}
        <div role="status">
          {send.isSuccess && (
            <Banner tone="green" icon={CheckCircleIcon}>
              <Trans>
                Your message was sent. The answer comes to <bdi>{send.variables.replyTo}</bdi>.
              </Trans>
            </Banner>
          )}
        </div>
        <div>
          <Button type="submit" variant="filled" icon={SendIcon} busy={send.isPending}>
            {t`Send`}
          </Button>
        </div>
      </form>
    </Card>
  );
}
