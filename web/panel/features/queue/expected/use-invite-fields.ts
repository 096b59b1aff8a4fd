import { useEffect, useRef, useState } from 'react';
import type { SmsCheckin } from '#contract/sms-checkin.ts';
import type { useSendInvite } from './use-send-invite.ts';

const closeAfterMs = 2_000;

/** What is typed into the dialog: a number of ten digits and a message. */
export function useInviteFields(correcting: SmsCheckin | undefined, knownPhone: string | undefined) {
  const [phone, setPhone] = useState((correcting?.patientId.phone ?? knownPhone)?.replace(/^\+1/, '') ?? '');
  const [text, setText] = useState('');
  return { phone, setPhone, text, setText, isComplete: phone.length === 10 };
}

/** The focus goes to the number where it is what has to change; the dialog closes by itself once the text is sent. */
export function useInviteFocus(
  { isSent, phoneError }: Pick<ReturnType<typeof useSendInvite>, 'isSent' | 'phoneError'>,
  { isCorrecting, onClose }: { isCorrecting: boolean; onClose: () => void },
) {
  const numberField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isSent) return;
    const timer = setTimeout(onClose, closeAfterMs);
    return () => clearTimeout(timer);
  }, [isSent, onClose]);
  useEffect(() => {
    if (!isCorrecting) return;
    numberField.current?.focus();
    // Selected, so that typing replaces it: a full field takes no further digit.
    numberField.current?.select();
  }, [isCorrecting]);
  const isAboutNumber = phoneError !== undefined;
  useEffect(() => {
    if (isAboutNumber) numberField.current?.focus();
  }, [isAboutNumber]);
  return numberField;
}
