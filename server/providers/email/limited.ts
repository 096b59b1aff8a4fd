import { emailLimits } from '#contract/email.ts';
import type { Env } from '#server/env.ts';
import type { Limits } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { EmailRefused, type Email, type Mail } from './port.ts';

/**
 * Every email passes here. One beyond a limit is refused like one that the mail server puts off, so a job tries it again later. What a person sends is counted before anything is written, where a refusal can be answered, and says so with `isCounted`.
 */
export function limitedEmail(email: Email, limits: Limits, { operatorEmail }: Pick<Env, 'operatorEmail'>): Email {
  return {
    name: email.name,
    close: () => email.close(),
    async send(mail, signal) {
      if (!mail.isCounted && mail.to !== operatorEmail) {
        await count(limits, mail).catch((error: unknown) => {
          throw error instanceof Refusal ? new EmailRefused(false) : error;
        });
      }
      await email.send(mail, signal);
    },
  };
}

/** One after the other: an email that its practice's limit stops takes nothing from the recipient's. */
async function count(limits: Limits, { to, aboutOffice }: Mail): Promise<void> {
  if (aboutOffice) await limits.take(emailLimits.aboutOffice, aboutOffice);
  await limits.take(emailLimits.perRecipient, to.toLowerCase());
}
