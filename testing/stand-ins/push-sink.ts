import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { PushTarget } from '#server/providers/push/port.ts';
import { throwawayCertificate } from './certificate.ts';

export interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  /** What the browser would read; null for a push without a payload. */
  note: { title: string; body: string; path: string } | null;
}

/** A push service on this machine with a throwaway certificate. It decrypts with the keys of its own invented subscriptions. */
export async function openPushSink() {
  const { key, cert } = throwawayCertificate();
  const browsers = new Map<string, { target: PushTarget; read: (body: Buffer) => ReceivedPush['note'] }>();
  const received: ReceivedPush[] = [];
  const sink = { answer: 201, retryAfter: undefined as string | undefined };
  const server = createServer({ key, cert }, (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const path = req.url ?? '';
      const body = Buffer.concat(chunks);
      const status = sink.answer === 413 && body.length === 0 ? 201 : sink.answer;
      if (status < 300)
        received.push({ path, headers: req.headers, note: body.length > 0 ? browsers.get(path)!.read(body) : null });
      res.writeHead(status, sink.retryAfter ? { 'retry-after': sink.retryAfter } : {}).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;

  return Object.assign(sink, {
    origin,
    ca: cert,
    received,
    /** Invents a browser's subscription. */
    subscribe(): PushTarget {
      const browser = createECDH('prime256v1');
      browser.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomUUID()}`;
      const target = {
        endpoint: `${origin}${path}`,
        p256dh: browser.getPublicKey().toString('base64url'),
        auth: auth.toString('base64url'),
      };
      browsers.set(path, { target, read: (body) => decryptPush(body, browser, auth) });
      return target;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}

/** RFC 8291 over RFC 8188, one record. */
function decryptPush(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): ReceivedPush['note'] {
  const salt = body.subarray(0, 16);
  const theirs = body.subarray(21, 21 + body.readUInt8(20));
  const encrypted = body.subarray(21 + theirs.length);
  const hkdf = (secret: Buffer, with_: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, with_, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), theirs]);
  const shared = hkdf(browser.computeSecret(theirs), auth, info, 32);
  const key = hkdf(shared, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = hkdf(shared, salt, 'Content-Encoding: nonce\0', 12);
  const open = createDecipheriv('aes-128-gcm', key, nonce);
  open.setAuthTag(encrypted.subarray(-16));
  const plain = Buffer.concat([open.update(encrypted.subarray(0, -16)), open.final()]);
  return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString('utf8')) as ReceivedPush['note'];
}
