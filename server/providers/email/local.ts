import type { Services } from '#server/context.ts';
import type { Email } from './port.ts';
import { smtpEmail } from './smtp.ts';

/** The local post office: the same mail by the same adapter, to a mail server on this machine that is opened for the first one. */
export function localEmail(services: Pick<Services, 'db' | 'id' | 'now' | 'env' | 'log'>): Email {
  const open = async () => {
    const { openInbox } = await import('./local-inbox.ts'); // not part of a server with a real one
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
