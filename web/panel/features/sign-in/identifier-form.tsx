import { useLingui } from '@lingui/react/macro';
import { useRef, type FormEvent, type ReactNode } from 'react';
import { classNames } from '#web/panel/ui/class-names.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Select, TextInput } from '#web/panel/ui/field.tsx';
import { MailIcon } from '#web/icons/mail.tsx';
import type { Icon } from '#web/icons/shape.tsx';
import { PhoneIcon } from '#web/icons/phone.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import css from './form.module.css';
import { OtherSignInWays } from './other-sign-in-ways.tsx';

interface FormProps {
  value: string;
  onChange: (value: string) => void;
  /** The input's error message. */
  error: string | undefined;
  busy: boolean;
  onSubmit: () => void;
  /** An error that is not about the input. */
  trouble: ReactNode;
  /** Switches to the other identifier. */
  onOther: () => void;
  /** A practice starts here: the form asks for its work email or number instead of signing in. */
  settingUp?: boolean | undefined;
  /** False where the focus would scroll past what is above the form. */
  focused: boolean;
  /** Directly below the button. */
  below?: ReactNode;
  children?: ReactNode;
}

export function EmailForm({ children, ...props }: FormProps) {
  const { t } = useLingui();
  const lead = t`To set up your practice, enter your work email. We’ll send a code to it.`;
  const other = { icon: PhoneIcon, label: t`Use Mobile Number` };
  const field = (
    <TextInput
      label={t`Email Address`}
      type="email"
      name="email"
      size="l"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      placeholder={t`you@practice.com`}
      autoFocus={props.focused}
      value={props.value}
      error={props.error}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
  return (
    <IdentifierForm {...props} setUpLead={lead} field={field} other={other}>
      {children}
    </IdentifierForm>
  );
}

export function PhoneForm(props: FormProps) {
  const { t } = useLingui();
  const lead = t`To set up your practice, enter your mobile number. We’ll text a code to it.`;
  const other = { icon: MailIcon, label: t`Use Email Address` };
  const field = (
    <div className={css.number}>
      <Select label={t`Country`} size="l" name="country" autoComplete="country" defaultValue="US">
        <option value="US">{t`US +1`}</option>
      </Select>
      <PhoneInput
        label={t`Mobile Number`}
        name="phone"
        size="l"
        autoFocus={props.focused}
        value={props.value}
        error={props.error}
        onChange={props.onChange}
      />
    </div>
  );
  return <IdentifierForm {...props} setUpLead={lead} field={field} other={other} />;
}

interface IdentifierFormProps extends FormProps {
  setUpLead: string;
  field: ReactNode;
  other: { icon: Icon; label: string };
}

/** What both forms have: the sentence, the field, the button, and the other ways. */
function IdentifierForm(props: IdentifierFormProps) {
  const { settingUp, setUpLead, field, other, busy, trouble, onSubmit, onOther, below, children } = props;
  const { t } = useLingui();
  const { form, submit } = useForm(onSubmit);
  return (
    <form ref={form} className={classNames(css.form, settingUp && css.settingUp)} noValidate onSubmit={submit}>
      <p className={css.lead}>{settingUp ? setUpLead : t`Sign in to your account to continue`}</p>
      {field}
      {trouble}
      <Button type="submit" variant="filled" size="l" block busy={busy}>
        {settingUp ? t`Set up my practice` : t`Sign In`}
      </Button>
      {below}
      <OtherSignInWays settingUp={settingUp}>
        <Button size="l" block icon={other.icon} onClick={onOther}>
          {other.label}
        </Button>
      </OtherSignInWays>
      {children}
    </form>
  );
}

/** Submits, and focuses an invalid field. */
function useForm(onSubmit: () => void) {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  return { form, submit };
}
