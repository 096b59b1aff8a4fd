/** The mail server and the sender address (docs/operating.md). */
export interface SmtpSettings {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS, which is required except on this machine. */
  secure: boolean;
  login: { user: string; pass: string } | undefined;
  /** `Name <address>` or an address. */
  from: string;
  replyTo: string | undefined;
}

/** Reads the settings from the environment; undefined without SMTP_URL. Throws a message an operator can act on. */
export function readSmtp({ SMTP_URL, EMAIL_FROM, EMAIL_REPLY_TO }: NodeJS.ProcessEnv): SmtpSettings | undefined {
  if (!SMTP_URL) return undefined;
  const url = URL.parse(SMTP_URL);
  const strayPercent = /%(?![0-9a-f]{2})/i.test(`${url?.username}${url?.password}`);
  if (!url?.hostname || !['smtp:', 'smtps:'].includes(url.protocol) || strayPercent)
    throw new Error('SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465');
  if (!/^[^\r\n]*\S@\S+\.\S+$/.test(EMAIL_FROM ?? ''))
    throw new Error('EMAIL_FROM is missing: with SMTP_URL give the sender, like "Anteroom <no-reply@example.org>"');
  const secure = url.protocol === 'smtps:';
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 465 : 587)),
    secure,
    login: user ? { user, pass } : undefined,
    from: EMAIL_FROM ?? '',
    replyTo: EMAIL_REPLY_TO || undefined,
  };
}
