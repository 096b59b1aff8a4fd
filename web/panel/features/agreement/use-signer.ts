import { useState } from 'react';
import type { AgreementStatus } from '#contract/agreement.ts';
import { emailPattern } from '#contract/email.ts';
import { useSession } from '#web/kit/session.ts';

/** The signer: the person's own email address, unless they signed in by phone. */
export function useSigner(status: AgreementStatus) {
  const { person } = useSession();
  const known = person?.email ?? null;
  const [email, setEmail] = useState(status.agreement?.signerEmail ?? '');
  const [wrong, setWrong] = useState(false);
  const isNamed = person !== null && person.name !== '' && !person.email?.startsWith(`${person.name}@`);
  return {
    asks: known === null,
    email: known ?? email.trim(),
    name: isNamed && !/\d{3}/.test(person.name) ? person.name : '',
    wrong,
    change: (typed: string) => {
      setEmail(typed);
      setWrong(false);
    },
    /** True if the email address is right; otherwise shows an error at the field. */
    check: () => {
      const right = known !== null || emailPattern.test(email.trim());
      setWrong(!right);
      return right;
    },
  };
}

export type Signer = ReturnType<typeof useSigner>;
