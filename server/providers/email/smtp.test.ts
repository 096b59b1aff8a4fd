import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import PostalMime, { type Email as Parsed } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { readEnv } from '#server/env.ts';
import { throwawayCertificate } from '#testing/stand-ins/certificate.ts';
import { EmailRefused, type Email, type Mail } from './port.ts';
import { isLoopback, messageIdOf, smtpEmail, classifySmtpError } from './smtp.ts';
import type { SmtpSettings } from './smtp-settings.ts';

const login = { user: 'anteroom', pass: 'CANARY-password' };
const code: Mail = {
  to: 'front@maple.test',
  subject: 'Código de Anteroom',
  text: 'Your Anteroom code is 482913.\n\nIt is valid for 3 minutes. <b>https://anteroom.test/c/1?a=1&b=2</b>.',
  reference: 'one',
};

const open: { close(): unknown }[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((one) => one.close()))));

/** A mail server on loopback that counts connections and attempts, stores what it accepts, and follows the test's rules. */
async function postOffice(rules: SMTPServerOptions = {}) {
  const taken: { to: string[]; parsed: Parsed }[] = [];
  const seen = { connections: 0, recipients: 0, logins: 0 };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 20,
    logger: false,
    onConnect(_session, answer) {
      seen.connections++;
      answer();
    },
    onAuth({ username, password }, _session, answer) {
      seen.logins++;
      if (username === login.user && password === login.pass) answer(null, { user: username });
      else answer(no(535, 'CANARY wrong password'));
    },
    onRcptTo(_address, _session, answer) {
      seen.recipients++;
      answer();
    },
    onData(stream, { envelope }, answer) {
      void buffer(stream).then(async (raw) => {
        taken.push({ to: envelope.rcptTo.map(({ address }) => address), parsed: await PostalMime.parse(raw) });
        answer();
      });
    },
    ...rules,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  open.push({ close: () => new Promise<void>((resolve) => server.close(resolve)) });
  return { taken, seen, port: (server.server.address() as AddressInfo).port };
}

/** A server that speaks only as `talk` says. */
async function rude(talk: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => (sockets.forEach((socket) => socket.destroy()), server.close()) });
  return (server.address() as AddressInfo).port;
}

const no = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

function adapter(port: number, given: Partial<SmtpSettings> = {}, deadlineMs = 5_000): Email & { logged: unknown[][] } {
  const logged: unknown[][] = [];
  const log = { error: (...line: unknown[]) => void logged.push(line) };
  const from = 'Anteroom <no-reply@anteroom.test>';
  const settings = { host: '127.0.0.1', port, secure: false, login, from, replyTo: 'help@anteroom.test', ...given };
  const email = smtpEmail({ env: { productName: 'Anteroom' }, log }, settings, { backoffMs: [20, 40], deadlineMs });
  open.push(email);
  return Object.assign(email, { logged });
}

const outcome = (sending: Promise<void>) => sending.then(() => 'sent').catch((error: unknown) => error);

test('an email is sent as text and as HTML, with a Reply-To', async () => {
  const { taken, port } = await postOffice();
  await adapter(port).send(code);
  const [{ to, parsed } = { to: [], parsed: null }] = taken;
  expect(to).toEqual(['front@maple.test']);
  expect(parsed).toMatchObject({
    subject: 'Código de Anteroom',
    from: { name: 'Anteroom', address: 'no-reply@anteroom.test' },
    replyTo: [{ address: 'help@anteroom.test' }],
    messageId: messageIdOf(code, 'no-reply@anteroom.test'),
  });
  expect(parsed?.text?.trim().replaceAll('\r\n', '\n')).toBe(code.text);
  expect(parsed?.html).toContain('<p style="margin:0 0 16px">Your Anteroom code is 482913.</p>');
  expect(parsed?.html).toContain('&#60;b&#62;<a href="https://anteroom.test/c/1?a=1&#38;b=2">');
  expect(parsed?.html).not.toMatch(/<img|<script|<link|url\(/);
});

test('an email can set its own Reply-To, and states its language', async () => {
  const { taken, port } = await postOffice();
  await adapter(port).send({ ...code, replyTo: 'dana@maple.test', language: 'es' });
  expect(taken[0]?.parsed.replyTo).toMatchObject([{ address: 'dana@maple.test' }]);
  expect(taken[0]?.parsed.html).toContain('<html lang="es">');
});

test('an address without a mailbox is refused permanently and at once', async () => {
  let asked = 0;
  const { port } = await postOffice({ onRcptTo: (_a, _s, answer) => (asked++, answer(no(550, 'no mailbox'))) });
  expect(await outcome(adapter(port).send(code))).toMatchObject({ name: 'EmailRefused', permanent: true });
  expect(asked).toBe(1);
});

test('a deferred email is retried with pauses, then refused temporarily; a later success is enough', async () => {
  let asked = 0;
  let grey = 99;
  const { port, taken } = await postOffice({
    onRcptTo: (_a, _s, answer) => (++asked <= grey ? answer(no(451, 'later')) : answer()),
  });
  expect(await outcome(adapter(port).send(code))).toMatchObject({ name: 'EmailRefused', permanent: false });
  expect(asked).toBe(3);
  grey = asked + 1;
  await adapter(port).send(code);
  expect(taken).toHaveLength(1);
});

test('an unreachable server refuses temporarily; one that comes back in time gets the email', async () => {
  const port = await rude(() => undefined);
  await Promise.all(open.splice(0).map((one) => one.close()));
  expect(await outcome(adapter(port).send(code))).toMatchObject({ name: 'EmailRefused', permanent: false });

  let connections = 0;
  const { taken, port: second } = await postOffice({
    onConnect: (_s, answer) => (++connections === 1 ? answer(no(421, 'busy')) : answer()),
  });
  await adapter(second).send(code);
  expect(taken).toHaveLength(1);
});

test('a connection cut after the email went out: the retry has the same Message-ID, so a mailbox shows it once', async () => {
  const ids: (string | undefined)[] = [];
  const lines: Socket[] = [];
  const { port } = await postOffice({
    onData(stream, _session, answer) {
      void buffer(stream).then(async (raw) => {
        ids.push((await PostalMime.parse(raw)).messageId);
        if (ids.length > 1) answer();
        else for (const line of lines) line.destroy();
      });
    },
  });
  const cable = await rude((socket) => {
    const onward = connect(port, '127.0.0.1').on('error', () => undefined);
    lines.push(socket, onward);
    socket.pipe(onward).pipe(socket);
  });
  await adapter(cable).send(code);
  expect(ids).toHaveLength(2);
  expect(ids[0]).toBe(ids[1]);
  expect(messageIdOf({ ...code, reference: 'two' }, 'a@b.test')).not.toBe(messageIdOf(code, 'a@b.test'));
});

test('a silent server times out, and the status is unknown, not refused', async () => {
  const port = await rude(() => undefined);
  const began = Date.now();
  const error = await outcome(adapter(port, {}, 150).send(code));
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(EmailRefused);
  const given = await outcome(adapter(port).send(code, AbortSignal.timeout(100)));
  expect(given).toBeInstanceOf(Error);
  expect(Date.now() - began).toBeLessThan(2_000);
});

test('a rejected login alerts once a minute, and the email may be retried', async () => {
  const { port, seen } = await postOffice();
  const email = adapter(port, { login: { ...login, pass: 'CANARY-old' } });
  for (let i = 0; i < 3; i++)
    expect(await outcome(email.send(code))).toMatchObject({ name: 'EmailRefused', permanent: false });
  expect(seen.logins).toBe(3);
  expect(email.logged).toHaveLength(1);
  expect(email.logged[0]?.[0]).toMatchObject({ alert: 'email', code: 'EAUTH', responseCode: 535 });
});

test('a rejected sender is our error to fix, not the recipient’s', async () => {
  const { port } = await postOffice({ onMailFrom: (_a, _s, answer) => answer(no(553, 'not your address')) });
  const email = adapter(port);
  expect(await outcome(email.send(code))).toMatchObject({ name: 'EmailRefused', permanent: false });
  expect(email.logged).toHaveLength(1);
});

test('to another machine, nothing is sent before the connection is encrypted', async () => {
  const { port, seen, taken } = await postOffice();
  const email = adapter(port, { host: '0.0.0.0' });
  expect(await outcome(email.send(code))).toMatchObject({ name: 'EmailRefused', permanent: false });
  expect(seen).toMatchObject({ logins: 0, recipients: 0 });
  expect(taken).toEqual([]);
  const untrusted = await postOffice({ disabledCommands: [] });
  expect(await outcome(adapter(untrusted.port, { host: '0.0.0.0' }).send(code))).toBeInstanceOf(EmailRefused);
  expect(untrusted.seen.logins).toBe(0);
  for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '::1']) expect(isLoopback(host)).toBe(true);
  for (const host of ['127.0.0.1.evil.test', 'mail.maple.test', '10.0.0.1', 'localhost.test'])
    expect(isLoopback(host)).toBe(false);
});

test('email is sent over a connection with a trusted certificate, by STARTTLS and by TLS from the first byte', async () => {
  const pair = throwawayCertificate();
  const system = getCACertificates();
  setDefaultCACertificates([...system, pair.cert]);
  try {
    for (const secure of [false, true]) {
      const wasSecure: boolean[] = [];
      const { port, taken } = await postOffice({
        ...pair,
        secure,
        disabledCommands: [],
        allowInsecureAuth: false,
        onMailFrom: (_address, session, answer) => (wasSecure.push(session.secure), answer()),
      });
      await adapter(port, { host: '0.0.0.0', secure }).send(code);
      expect([taken.length, wasSecure]).toEqual([1, [true]]);
    }
  } finally {
    setDefaultCACertificates(system);
  }
});

test('a subject or an address cannot inject headers or recipients', async () => {
  const { taken, port } = await postOffice();
  const email = adapter(port);
  await email.send({ ...code, subject: 'Hello\r\nBcc: all@maple.test\r\n\r\nbody' });
  expect(taken[0]?.to).toEqual(['front@maple.test']);
  expect(taken[0]?.parsed.bcc ?? []).toEqual([]);
  for (const to of [
    'a@maple.test\r\nRCPT TO:<b@maple.test>',
    'a@maple.test, b@maple.test',
    '<a@maple.test> b@c.test',
    '',
  ]) {
    await outcome(email.send({ ...code, to }));
  }
  for (const { to } of taken) expect(to.length).toBe(1);
});

test('50 emails at once share five connections', async () => {
  const { taken, seen, port } = await postOffice();
  const email = adapter(port);
  await Promise.all(Array.from({ length: 50 }, (_, i) => email.send({ ...code, reference: `m${i}` })));
  expect(taken).toHaveLength(50);
  expect(seen.connections).toBeLessThanOrEqual(5);
});

test('no code, address or password gets into an error or the log', async () => {
  const echo = (message: string) => no(554, `5.7.1 <front@maple.test> said 482913 ${message}`);
  const { port } = await postOffice({ onData: (stream, _s, answer) => (stream.resume(), answer(echo('CANARY'))) });
  const email = adapter(port);
  const wrong = adapter(port, { login: { ...login, pass: 'CANARY-old' } });
  const errors = [await outcome(email.send(code)), await outcome(wrong.send(code))] as Error[];
  const printed = JSON.stringify([
    email.logged,
    wrong.logged,
    errors.map((e) => [e.message, e.stack, e.cause, { ...e }]),
  ]);
  expect(printed).not.toMatch(/482913|maple|CANARY|said/);
});

test.each([
  [{ code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }, true, false, false],
  [{ code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }, false, true, false],
  [{ code: 'EMESSAGE', responseCode: 552, command: 'DATA' }, true, false, false],
  [{ code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }, false, false, true],
  [{ code: 'EAUTH', responseCode: 454, command: 'AUTH PLAIN' }, false, true, false],
  [{ code: 'EENVELOPE', responseCode: 530, command: 'MAIL FROM' }, false, false, true],
  [{ code: 'EENVELOPE', responseCode: 451, command: 'MAIL FROM' }, false, true, false],
  [{ code: 'ETLS', command: 'STARTTLS' }, false, false, true],
  [{ code: 'ESOCKET', originalCode: 'SELF_SIGNED_CERT_IN_CHAIN', command: 'CONN' }, false, false, true],
  [{ code: 'EDNS' }, false, true, false],
  [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }, false, true, false],
  [{ code: 'ETIMEDOUT', timeoutType: 'CONNECT_TIMEOUT', command: 'CONN' }, false, true, false],
  [{ code: 'ETIMEDOUT', timeoutType: 'SOCKET_TIMEOUT', command: 'CONN' }, null, true, false],
  [{ code: 'ESOCKET', originalCode: 'ECONNRESET', command: 'CONN' }, null, true, false],
  [{ code: 'ECONNECTION', command: 'CONN' }, null, true, false],
  [{ code: 'EABORT' }, null, false, false],
] as const)('verdictOn %j: permanent %s, retry %s, our error %s', (given, permanent, tryAgain, ours) => {
  const verdict = classifySmtpError({ name: 'Error', message: '', ...given });
  expect(verdict).toMatchObject({ tryAgain, ours });
  expect(verdict.refusal instanceof EmailRefused ? verdict.refusal.permanent : null).toBe(permanent);
});

test('readEnv reads the mail server, or names what is wrong', () => {
  const secrets = { SESSION_SECRET: 's'.repeat(32), AUDIT_SECRET: 'a'.repeat(32), WEBHOOK_SECRET: 'w'.repeat(32) };
  const smtp = (given: NodeJS.ProcessEnv) => readEnv({ DATABASE_URL: 'postgres://x', ...secrets, ...given }).smtp;
  const EMAIL_FROM = 'Anteroom <no-reply@example.org>';
  expect(smtp({})).toBeUndefined();
  expect(smtp({ SMTP_URL: 'smtp://us%40er:p%2Fw@mail.example.org', EMAIL_FROM })).toEqual({
    host: 'mail.example.org',
    port: 587,
    secure: false,
    login: { user: 'us@er', pass: 'p/w' },
    from: EMAIL_FROM,
    replyTo: undefined,
  });
  expect(smtp({ SMTP_URL: 'smtps://mail.example.org', EMAIL_FROM, EMAIL_REPLY_TO: 'help@example.org' })).toMatchObject({
    port: 465,
    secure: true,
    login: undefined,
    replyTo: 'help@example.org',
  });
  for (const SMTP_URL of ['mail.example.org', 'http://mail', 'smtp://', 'smtp://100%@mail'])
    expect(() => smtp({ SMTP_URL, EMAIL_FROM })).toThrow('SMTP_URL must look like');
  expect(() => smtp({ SMTP_URL: 'smtp://mail' })).toThrow('EMAIL_FROM is missing');
});
