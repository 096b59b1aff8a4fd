import type { Services } from '#server/context.ts';
import type { Email } from './port.ts';
import { smtpEmail } from './smtp.ts';

/** The local email provider: the same SMTP adapter, sending to a mail server on this machine that starts with the first email. */
export function localEmail(services: Pick<Services, 'db' | 'id' | 'now' | 'env' | 'log'>): Email {
  const open = async () => {
    const { openInbox } = await import('./local-inbox.ts'); // loaded on demand: a server with a real mail server does not need it
    const inbox = await openInbox(services);
    const from = `${services.env.productName.replace(/[^\p{L}\p{N} ]/gu, '')} <no-reply@anteroom.test>`;
    const settings = { ...inbox.settings, from, replyTo: undefined };
    return { inbox, email: smtpEmail(services, settings, { name: 'local', backoffMs: [20, 50] }) };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    name: 'local',
    async send(mail, signal) {
      const { email } = await (opened ??= open());
      await email.send(mail, signal);
    },
    async close() {
      if (!opened) return;
      const { inbox, email } = await opened;
      await email.close();
      await inbox.close();
    },
  };
}
