import { emailPattern } from '#contract/email.ts';
import { usPhone } from '#server/kit/phone.ts';
import { Refusal } from '#server/kit/http/refusal.ts';

/** What a person signs in with, normalized: an email in lower case, or a US mobile number as E.164. */
export interface Identifier {
  kind: 'email' | 'phone';
  value: string;
}

/** Reads an email or a phone number; refuses none, both, or one that is neither an email nor a US number. */
export function readIdentifier({ email, phone }: { email?: string; phone?: string }): Identifier {
  if ((email === undefined) === (phone === undefined)) throw new Refusal('invalid_input');
  if (email !== undefined) {
    const value = email.trim().toLowerCase();
    if (!emailPattern.test(value) || /\p{Cc}/u.test(value))
      throw new Refusal('invalid_input', { errors: [{ path: 'body.email', message: 'Invalid email' }] });
    return { kind: 'email', value };
  }
  const value = usPhone(phone ?? '');
  if (value === null) throw new Refusal('invalid_phone');
  return { kind: 'phone', value };
}

/** Masked for a locked screen: the owner recognizes it, others learn nothing. */
export function maskIdentifier({ kind, value }: Identifier): string {
  return kind === 'email' ? value.replace(/^(.).*@/u, '$1•••@') : `(•••) •••-${value.slice(-4)}`;
}
