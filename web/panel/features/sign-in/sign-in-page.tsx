import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { emailPattern } from '#contract/email.ts';
import { requestCode, usPhonePattern, verifyCode } from '#contract/sign-in/code.ts';
import { call, CallError } from '#web/kit/call.ts';
import { serverNow } from '#web/kit/clock.ts';
import { sessionQuery } from '#web/kit/session.ts';
import { useTitle } from '#web/kit/title.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { ClearBrowserData } from './clear-browser-data.tsx';
import { CodeForm } from './code-form.tsx';
import { FrontPage, type FrontPageFrame } from './front-page.tsx';
import { EmailForm, PhoneForm } from './identifier-form.tsx';
import { sentCode, type SentCode } from './sent-code.ts';
import { rememberSignIn } from './signed-in-before.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';

type Who = { email: string } | { phone: string };
const same = (one: Who, other: Who) => JSON.stringify(one) === JSON.stringify(other);

interface SignInPageProps extends FrontPageFrame {
  /** The suggested email address or number, which can be changed. */
  as?: { email: string | null; phone: string | null } | undefined;
  /** Explains what signing in is for. */
  intro?: ReactNode;
  /** For people without an account: on the showcase directly below the form's button, else below the form. */
  forNewcomers?: ReactNode;
  /** A practice starts here, instead of signing in. */
  settingUp?: boolean;
}

/** Sign-in: email or mobile number, then the code. The input survives errors and going back. */
export function SignInPage({ as, intro, forNewcomers, settingUp, ...frame }: SignInPageProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [by, setBy] = useState<'email' | 'phone'>(as?.phone ? 'phone' : 'email');
  const [email, setEmail] = useState(as?.email ?? '');
  const [phone, setPhone] = useState(as?.phone?.replace(/^\+1/, '') ?? '');
  const [invalid, setInvalid] = useState<string>();
  const [sent, setSent] = useState<SentCode & { who: Who }>();
  const [entering, setEntering] = useState(false);
  useTitle(t`Sign In`);

  const ask = useMutation({
    mutationFn: async (who: Who) => {
      const answer = await call(requestCode, { body: who });
      setSent({ who, ...sentCode(Object.values(who)[0] as string, answer) });
    },
    onSuccess: () => setEntering(true),
    onError: (error, who) => {
      if (error instanceof CallError && error.status === 400) setInvalid(messageFor(who));
    },
  });

  const messageFor = (who: Who) => ('email' in who ? t`Invalid email` : t`Invalid phone number`);
  const submit = () => {
    const who: Who = by === 'email' ? { email: email.trim().toLowerCase() } : { phone: `+1${phone}` };
    const valid = 'email' in who ? emailPattern.test(who.email) : usPhonePattern.test(who.phone);
    if (!valid) return setInvalid(messageFor(who));
    const stillGood = sent && same(sent.who, who) && Date.parse(sent.expiresAt) > serverNow();
    if (stillGood) return setEntering(true);
    if (!ask.isPending) ask.mutate(who);
  };
  const forget = () => {
    setInvalid(undefined);
    ask.reset();
  };
  const edit = (set: (value: string) => void) => (value: string) => {
    set(value);
    forget();
  };
  const switchTo = (other: 'email' | 'phone') => () => {
    setBy(other);
    forget();
  };

  if (sent && entering) {
    const confirm = async (code: string) => {
      const { session } = await call(verifyCode, { body: { ...sent.who, code } });
      rememberSignIn();
      cache.setQueryData(sessionQuery.queryKey, session);
    };
    return (
      <FrontPage {...frame}>
        <h1>{t`Welcome!`}</h1>
        {intro}
        <CodeForm sent={sent} onConfirm={confirm} onResend={() => ask.mutateAsync(sent.who)}>
          <Button variant="subtle" icon={ArrowLeftIcon} onClick={() => setEntering(false)}>
            {'email' in sent.who ? t`Use another email address` : t`Use another mobile number`}
          </Button>
        </CodeForm>
      </FrontPage>
    );
  }

  // Another purpose is another form: its field has the focus.
  const purpose = settingUp ? 'set-up' : 'sign-in';
  const isShowcase = frame.look === 'showcase';
  const form = {
    settingUp,
    focused: !isShowcase || settingUp === true || !matchMedia('(max-width: 820px)').matches,
    below: isShowcase && forNewcomers,
    error: invalid,
    busy: ask.isPending,
    onSubmit: submit,
    trouble: <ErrorText error={invalid === undefined ? ask.error : null} />,
  };
  return (
    <FrontPage {...frame}>
      <h1>{t`Welcome!`}</h1>
      {intro}
      {by === 'email' ? (
        <>
          <EmailForm {...form} key={purpose} value={email} onChange={edit(setEmail)} onOther={switchTo('phone')}>
            <ClearBrowserData email={email} />
          </EmailForm>
          {!isShowcase && forNewcomers}
        </>
      ) : (
        <PhoneForm {...form} key={purpose} value={phone} onChange={edit(setPhone)} onOther={switchTo('email')} />
      )}
    </FrontPage>
  );
}
