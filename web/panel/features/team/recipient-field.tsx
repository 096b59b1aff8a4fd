import { useLingui } from '@lingui/react/macro';
import { emailPattern } from '#contract/email.ts';
import { usPhonePattern } from '#contract/sign-in/code.ts';
import { TextInput } from '#web/panel/ui/field.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';

/** Who gets an invitation, as typed. Both values stay when the kind changes. */
export interface Recipient {
  kind: 'email' | 'phone';
  email: string;
  /** The ten digits. */
  phone: string;
}

export const noRecipient: Recipient = { kind: 'email', email: '', phone: '' };

/** The address or number to invite; null if it is not valid. */
export function contactOf({ kind, email, phone }: Recipient): { email: string } | { phone: string } | null {
  if (kind === 'email') return emailPattern.test(email.trim()) ? { email: email.trim() } : null;
  return usPhonePattern.test(`+1${phone}`) ? { phone: `+1${phone}` } : null;
}

interface RecipientFieldProps {
  recipient: Recipient;
  isInvalid: boolean;
  onChange: (recipient: Recipient) => void;
}

/** The field for an email address or a mobile number. */
export function RecipientField({ recipient, isInvalid, onChange }: RecipientFieldProps) {
  const { t } = useLingui();
  if (recipient.kind === 'phone')
    return (
      <PhoneInput
        label={t`Mobile Number`}
        autoComplete="off"
        value={recipient.phone}
        {...(isInvalid && { error: t`Invalid phone number` })}
        onChange={(phone) => onChange({ ...recipient, phone })}
      />
    );
  return (
    <TextInput
      label={t`Email Address`}
      type="email"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      value={recipient.email}
      {...(isInvalid && { error: t`Invalid email` })}
      onChange={(event) => onChange({ ...recipient, email: event.target.value })}
    />
  );
}
