import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Services } from '#server/context.ts';
import { htmlEmail } from './html-email.ts';
import { EmailRefused, type Email, type Mail } from './port.ts';
import type { SmtpSettings } from './smtp-settings.ts';

interface Patience {
  /** Waits before the second, third … try of a mail that was not taken for now. */
  backoffMs: readonly number[];
  /** After this long a mail is given up, whatever it is waiting for. */
  deadlineMs: number;
}

const patience: Patience = { backoffMs: [500, 2_000], deadlineMs: 20_000 };
const alertEveryMs = 60_000;

type SmtpContext = { env: Pick<Services['env'], 'productName'>; log: Pick<Services['log'], 'error'> };

/** Mail over SMTP: a pool of connections, kept open between mails. */
export function smtpEmail(
  { env, log }: SmtpContext,
  settings: SmtpSettings,
  { name = 'smtp', backoffMs = patience.backoffMs, deadlineMs = patience.deadlineMs }: Partial<Patience & Email> = {},
): Email {
  const open = async () =>
    (await import('nodemailer')).default.createTransport({
      pool: true,
      maxConnections: 5,
      maxRequeues: 0, // trying again is ours: with a pause, and counted
      host: settings.host,
      port: settings.port,
      secure: settings.secure,
      requireTLS: !settings.secure && !isLoopback(settings.host),
      ignoreTLS: !settings.secure && isLoopback(settings.host),
      ...(settings.login && { auth: settings.login }),
      connectionTimeout: 5_000,
      greetingTimeout: 8_000,
      socketTimeout: 10_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  /** Opened for the first mail: a server that sends none does not load what it takes. */
  let opened: ReturnType<typeof open> | undefined;
  let alertedAt = 0;

  /** Something only an administrator can put right. Neither the mail nor the server's words are logged: they can hold a code. */
  const alert = ({ code, command, responseCode }: SmtpError) => {
    if (Date.now() - alertedAt < alertEveryMs) return;
    alertedAt = Date.now();
    log.error(
      { alert: 'email', code, command, responseCode },
      'no mail can be sent: the mail server does not accept us. Check SMTP_URL and EMAIL_FROM',
    );
  };

  return {
    name,
    async send(mail, signal) {
      const deadline = AbortSignal.timeout(deadlineMs);
      const given = { ...messageOf(env.productName, settings, mail), signal: either(signal, deadline) };
      const transport = await (opened ??= open());
      for (let attempt = 0; ; attempt++) {
        const error = await transport.sendMail(given).then(
          () => null,
          (thrown: SmtpError) => thrown,
        );
        if (error === null) return;
        const verdict = verdictOn(error);
        if (verdict.ours) alert(error);
        const wait = backoffMs[attempt];
        if (!verdict.tryAgain || wait === undefined || given.signal.aborted) throw verdict.refusal;
        await pause(wait, undefined, { signal: given.signal }).catch(() => undefined);
        if (given.signal.aborted) throw verdict.refusal;
      }
    },
    async close() {
      (await opened)?.close();
    },
  };
}

export interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
  timeoutType?: string;
  /** What the system called it before nodemailer did. */
  originalCode?: string;
}

const neverConnected = new Set(
  'CONNECT_TIMEOUT GREETING_TIMEOUT UPGRADE_TIMEOUT ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOTFOUND'.split(' '),
);

/**
 * What to make of an error of nodemailer's. The server's number decides, because one code (EENVELOPE) covers both 550 and 451;
 * only what it said about the recipient or the mail itself is for good. `ours`: an administrator has to put something right.
 */
export function verdictOn({
  code = '',
  command = '',
  responseCode = 0,
  timeoutType = '',
  originalCode = '',
}: SmtpError): {
  refusal: Error;
  tryAgain: boolean;
  ours: boolean;
} {
  const aboutUs =
    ['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'ECONFIG'].includes(code) ||
    command === 'MAIL FROM' ||
    /CERT|TLS|SSL|VERIFY/.test(originalCode);
  if (responseCode >= 500 || aboutUs) {
    const ours = aboutUs && !(responseCode >= 400 && responseCode < 500);
    return { refusal: new EmailRefused(!aboutUs), tryAgain: aboutUs && !ours, ours };
  }
  if (responseCode >= 400) return { refusal: new EmailRefused(false), tryAgain: true, ours: false };
  if (code === 'EENVELOPE') return { refusal: new EmailRefused(true), tryAgain: false, ours: false }; // no address at all
  const beforeTheMail = code === 'EDNS' || neverConnected.has(timeoutType) || neverConnected.has(originalCode);
  const tryAgain = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS'].includes(code);
  return {
    refusal: beforeTheMail ? new EmailRefused(false) : new Error(`a mail's fate is unknown: ${code || 'no code'}`),
    tryAgain,
    ours: false,
  };
}

function messageOf(product: string, { from, replyTo }: SmtpSettings, mail: Mail) {
  return {
    from,
    to: { name: '', address: mail.to },
    replyTo: mail.replyTo ?? replyTo,
    subject: mail.subject,
    text: mail.text,
    html: htmlEmail(product, mail),
    messageId: messageIdOf(mail, from),
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** The same for every try of the same mail, so that a mailbox which got it twice shows it once. */
export function messageIdOf({ to, reference }: Pick<Mail, 'to' | 'reference'>, from: string): string {
  const domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  const name = createHash('sha256').update(`${reference}\n${to.toLowerCase()}`).digest('hex').slice(0, 40);
  return `<${name}@${domain}>`;
}

/** True for this machine itself, where no wire can be listened at. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function either(given: AbortSignal | undefined, deadline: AbortSignal): AbortSignal {
  return given ? AbortSignal.any([given, deadline]) : deadline;
}
