import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Services } from '#server/context.ts';
import { htmlEmail } from './html-email.ts';
import { EmailRefused, type Email, type Mail } from './port.ts';
import type { SmtpSettings } from './smtp-settings.ts';

interface Patience {
  /** Pauses before the retries of a deferred email. */
  backoffMs: readonly number[];
  /** An email is given up after this long, whatever it is waiting for. */
  deadlineMs: number;
}

const patience: Patience = { backoffMs: [500, 2_000], deadlineMs: 20_000 };
const alertEveryMs = 60_000;

type SmtpContext = { env: Pick<Services['env'], 'productName'>; log: Pick<Services['log'], 'error'> };

/** Email over SMTP, with a pool of connections kept open between emails. */
export function smtpEmail(
  { env, log }: SmtpContext,
  settings: SmtpSettings,
  { name = 'smtp', backoffMs = patience.backoffMs, deadlineMs = patience.deadlineMs }: Partial<Patience & Email> = {},
): Email {
  const open = async () =>
    (await import('nodemailer')).default.createTransport({
      pool: true,
      maxConnections: 5,
      maxRequeues: 0, // we retry ourselves, with pauses and a limit
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
  /** Opened for the first email, so that a server that sends none does not load nodemailer. */
  let opened: ReturnType<typeof open> | undefined;
  let alertedAt = 0;

  /** Something only an administrator can fix. Neither the email nor the server's text is logged: they can contain a code. */
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
      const options = { ...messageOf(env.productName, settings, mail), signal: either(signal, deadline) };
      const transport = await (opened ??= open());
      for (let attempt = 0; ; attempt++) {
        const error = await transport.sendMail(options).then(
          () => null,
          (thrown: SmtpError) => thrown,
        );
        if (error === null) return;
        const verdict = classifySmtpError(error);
        if (verdict.ours) alert(error);
        const wait = backoffMs[attempt];
        if (!verdict.tryAgain || wait === undefined || options.signal.aborted) throw verdict.refusal;
        await pause(wait, undefined, { signal: options.signal }).catch(() => undefined);
        if (options.signal.aborted) throw verdict.refusal;
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
  /** The system's error code, before nodemailer mapped it. */
  originalCode?: string;
}

const neverConnected = new Set(
  'CONNECT_TIMEOUT GREETING_TIMEOUT UPGRADE_TIMEOUT ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOTFOUND'.split(' '),
);

/**
 * Interprets an error from nodemailer. The server's status decides, because one code (EENVELOPE) covers both 550 and 451. Only an error
 * about the recipient or the email itself is permanent. `ours`: an administrator has to fix something.
 */
export function classifySmtpError({
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
  if (code === 'EENVELOPE') return { refusal: new EmailRefused(true), tryAgain: false, ours: false }; // no valid address at all
  const beforeTheMail = code === 'EDNS' || neverConnected.has(timeoutType) || neverConnected.has(originalCode);
  const tryAgain = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS'].includes(code);
  return {
    refusal: beforeTheMail ? new EmailRefused(false) : new Error(`email status unknown: ${code || 'no code'}`),
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

/** The same for every attempt at one email, so that a mailbox that got it twice shows it once. */
export function messageIdOf({ to, reference }: Pick<Mail, 'to' | 'reference'>, from: string): string {
  const domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  const name = createHash('sha256').update(`${reference}\n${to.toLowerCase()}`).digest('hex').slice(0, 40);
  return `<${name}@${domain}>`;
}

/** Whether this is the machine itself, where nobody can listen on the wire. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function either(given: AbortSignal | undefined, deadline: AbortSignal): AbortSignal {
  return given ? AbortSignal.any([given, deadline]) : deadline;
}
