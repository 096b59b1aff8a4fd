import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { requestDemo } from '#contract/demo-request.ts';
import { emailPattern } from '#contract/email.ts';
import { call, CallError } from '#web/kit/call.ts';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { TextArea, TextInput } from '#web/panel/ui/field.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './request-demo.module.css';

type Field = 'name' | 'practice' | 'email' | 'phone';

/** A form that asks for a demo of the product. It keeps its input until the request was received. */
export function RequestDemo({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useLingui();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState({ name: '', practice: '', email, phone: '', wish: '' });
  const [wrong, setWrong] = useState<Partial<Record<Field, string>>>({});

  const send = useMutation({
    mutationFn: () => {
      const { phone, wish, ...rest } = typed;
      const body = { ...rest, ...(phone && { phone: `+1${phone}` }), ...(wish.trim() && { wish }) };
      return call(requestDemo, { body });
    },
    onError: (error) => {
      if (error instanceof CallError && error.code === 'invalid_phone') show({ phone: error.title });
    },
  });

  const show = (problems: typeof wrong) => {
    setWrong(problems);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (send.isPending) return;
    const problems = {
      ...(typed.name.trim() === '' && { name: t`Please enter your name` }),
      ...(typed.practice.trim() === '' && { practice: t`Please enter the name of your practice` }),
      ...(!emailPattern.test(typed.email.trim()) && { email: t`Please enter your email address` }),
      ...(typed.phone !== '' && typed.phone.length !== 10 && { phone: t`Invalid phone number` }),
    };
    if (Object.keys(problems).length > 0) return show(problems);
    send.mutate();
  };
  const edit = (field: keyof typeof typed, value: string) => {
    setTyped({ ...typed, [field]: value });
    setWrong({ ...wrong, [field]: undefined });
    if (send.error) send.reset();
  };
  const field = (name: 'name' | 'practice' | 'email') => ({
    name,
    value: typed[name],
    error: wrong[name],
    onChange: (event: { target: { value: string } }) => edit(name, event.target.value),
  });

  if (send.isSuccess) return <ThankYou email={typed.email.trim()} onClose={onClose} />;

  const footer = (
    <>
      <Button onClick={onClose}>{t`Cancel`}</Button>
      <Button type="submit" form="request-demo" variant="filled" busy={send.isPending}>
        {t`Request Demo`}
      </Button>
    </>
  );
  return (
    <Dialog title={t`Request Demo`} onClose={onClose} footer={footer}>
      <form id="request-demo" ref={form} className={css.form} noValidate onSubmit={submit}>
        <p className={css.lead}>{t`Book a 20-minute walkthrough.`}</p>
        <TextInput label={t`Your name`} autoComplete="name" maxLength={200} {...field('name')} />
        <TextInput label={t`Practice`} autoComplete="organization" maxLength={200} {...field('practice')} />
        <div className={css.pair}>
          <TextInput
            label={t`Email Address`}
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            {...field('email')}
          />
          <PhoneInput
            label={t`Phone number (optional)`}
            name="phone"
            value={typed.phone}
            error={wrong.phone}
            onChange={(digits) => edit('phone', digits)}
          />
        </div>
        <TextArea
          label={t`What would you like to see? (optional)`}
          name="wish"
          maxLength={2000}
          value={typed.wish}
          onChange={(event) => edit('wish', event.target.value)}
        />
        <ErrorText error={wrong.phone === undefined ? send.error : null} />
      </form>
    </Dialog>
  );
}

/** Confirms that the request was received. */
function ThankYou({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useLingui();
  const operatorHasEmail = usePublicConfig()?.operatorHasEmail;
  const address = (
    <strong className={css.address}>
      <bdi>{email}</bdi>
    </strong>
  );
  const close = (
    <Button variant="filled" data-autofocus onClick={onClose}>
      {t`Close`}
    </Button>
  );
  return (
    <Dialog title={t`Thank you!`} onClose={onClose} footer={close}>
      <p className={css.thanks} role="status">
        <CheckCircleIcon size={28} className={css.check} />
        <span>
          {operatorHasEmail ? <Trans>Thanks! We’ll email {address} to find a time.</Trans> : t`We saved your request.`}
        </span>
      </p>
    </Dialog>
  );
}
