import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Services } from '#server/context.ts';
import type { SmtpSettings } from './smtp-settings.ts';

type InboxContext = Pick<Services, 'db' | 'id' | 'now'>;

/** A local mail server; what it accepts is shown in the outbox. `bounce@` has no mailbox, `grey@` is deferred. */
export async function openInbox({ db, id, now }: InboxContext): Promise<{
  settings: Pick<SmtpSettings, 'host' | 'port' | 'secure' | 'login'>;
  close(): Promise<void>;
}> {
  const login = { user: 'anteroom', pass: randomBytes(16).toString('hex') };
  const server = new SMTPServer({
    banner: 'local inbox',
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: 5_000_000,
    closeTimeout: 200,
    logger: false,
    onAuth({ username, password }, _session, answer) {
      if (username === login.user && password === login.pass) answer(null, { user: username });
      else answer(reply(535, 'who are you'));
    },
    onRcptTo({ address }, _session, answer) {
      if (/^bounce@/i.test(address)) answer(reply(550, 'no such mailbox'));
      else if (/^grey@/i.test(address)) answer(reply(451, 'come back later'));
      else answer();
    },
    onData(stream, session, answer) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      keepEmail(buffer(stream), recipients).then(
        () => answer(),
        () => answer(reply(451, 'the outbox is away')),
      );
    },
  });

  async function keepEmail(arriving: Promise<Buffer>, recipients: string[]): Promise<void> {
    const { subject = '', text = '', messageId = null } = await PostalMime.parse(await arriving);
    const body = `${subject}\n\n${text.replaceAll('\r\n', '\n').replace(/\n$/, '')}`;
    for (const recipient of recipients) {
      const seen = await db
        .selectFrom('dev.outbox')
        .select('id')
        .where('channel', '=', 'email')
        .where('recipient', '=', recipient)
        .where('reference', '=', messageId)
        .executeTakeFirst();
      if (seen) continue;
      await db
        .insertInto('dev.outbox')
        .values({ id: id(), channel: 'email', recipient, body, reference: messageId, at: now() })
        .execute();
    }
  }

  server.on('error', () => undefined); // A broken connection; the sender gets an error of its own.
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.server.unref();
  const { port } = server.server.address() as AddressInfo;
  return {
    settings: { host: '127.0.0.1', port, secure: false, login },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
