import { emailLimits } from '#contract/email.ts';
import type { Env } from '#server/env.ts';
import type { Limits } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { EmailRefused, type Email, type Mail } from './port.ts';

/**
 * Rate limits all email. An email over a limit fails like one the mail server defers, so a job retries it later. Emails that a person
 * triggers are counted before anything is written, where they can still be refused; they are marked `isCounted`.
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

/** In sequence, so that an email stopped by its practice's limit does not count against the recipient's. */
async function count(limits: Limits, { to, aboutOffice }: Mail): Promise<void> {
  if (aboutOffice) await limits.take(emailLimits.aboutOffice, aboutOffice);
  await limits.take(emailLimits.perRecipient, to.toLowerCase());
}
