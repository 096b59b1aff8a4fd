import type { Env } from '#server/env.ts';
import type { Limits } from '#server/kit/limits.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { emailLimits, EmailRefused, type Email } from './port.ts';

/**
 * Every email passes here. One beyond its recipient's limit is refused like one that the mail server puts off, so a job tries it again
 * later. What a person sends is counted before anything is written, where a refusal can be answered, and says so with `isCounted`.
 */
export function limitedEmail(email: Email, limits: Limits, { operatorEmail }: Pick<Env, 'operatorEmail'>): Email {
  return {
    name: email.name,
    close: () => email.close(),
    async send(mail, signal) {
      if (!mail.isCounted && mail.to !== operatorEmail) {
        await limits.take(emailLimits.perRecipient, mail.to.toLowerCase()).catch((error: unknown) => {
          throw error instanceof Refusal ? new EmailRefused(false) : error;
        });
      }
      await email.send(mail, signal);
    },
  };
}
