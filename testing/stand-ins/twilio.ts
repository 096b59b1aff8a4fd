import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import {
  accountPath,
  openTwilioAccount,
  parameters,
  twilioAccount,
  twilioToken,
  TwilioRefusal,
  type TwilioMessage,
  type TwilioOperation,
} from './twilio-account.ts';
import { twilioCallbacks } from './twilio-callbacks.ts';
import { twilioFiles } from './twilio-files.ts';

/** How a call fails: refused, unanswered, or carried out with the answer lost. */
export type Trouble =
  | { status: number; code?: number; body?: string }
  | 'cut'
  | 'error after'
  | 'silence after'
  | 'cut after'
  | 'not JSON after';

const routes: [string, RegExp, TwilioOperation][] = [
  ['POST', new RegExp(`^${accountPath}/Messages\\.json$`), 'createMessage'],
  ['GET', new RegExp(`^${accountPath}/Messages\\.json$`), 'listMessages'],
  ['GET', new RegExp(`^${accountPath}/IncomingPhoneNumbers\\.json$`), 'listNumbers'],
  ['POST', new RegExp(`^${accountPath}/IncomingPhoneNumbers\\.json$`), 'buyNumber'],
  ['GET', new RegExp(`^${accountPath}/AvailablePhoneNumbers/US/Local\\.json$`), 'searchNumbers'],
  ['GET', /^\/v1\/Services$/, 'listServices'],
  ['POST', /^\/v1\/Services$/, 'makeService'],
  ['GET', /^\/v1\/Services\/(MG\w{32})\/PhoneNumbers\/(PN\w{32})$/, 'readPool'],
  ['POST', /^\/v1\/Services\/(MG\w{32})\/PhoneNumbers$/, 'addToPool'],
];

/**
 * Twilio on loopback, as far as we use it: stores messages, numbers and Messaging Services, refuses what it does not know, sells a number
 * once, is otherwise not idempotent, and can fail before or after it carried out a call. It sends no callbacks by itself: `report` and
 * `reply` send its signed calls to an app under test.
 */
export async function openTwilio({ now, publicUrl = 'http://localhost:3000' }: { now(): Date; publicUrl?: string }) {
  const calls: { operation: string; form: Record<string, string>; status: number }[] = [];
  const troubles = new Map<TwilioOperation, Trouble[]>();
  const settings = {
    pageSize: 1_000,
    forSale: [] as string[],
    isListed: (_message: TwilioMessage) => true,
    /** Runs while a call waits for its answer. */
    meanwhile: async (_operation: TwilioOperation): Promise<void> => undefined,
  };
  const { messages, numbers, services, sid, work } = openTwilioAccount(settings, now);

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const called = new URL(req.url ?? '', 'http://localhost');
    if (serveFile(req, res, called.pathname)) return;
    const raw = await text(req);
    const form = Object.fromEntries(req.method === 'GET' ? called.searchParams : new URLSearchParams(raw));
    const [, pattern, operation] =
      routes.find(([method, path]) => method === req.method && path.test(called.pathname)) ?? [];
    const send = (status: number, body: object | string) => {
      calls.push({ operation: operation ?? called.pathname, form, status });
      res.writeHead(status, { 'content-type': 'application/json' });
      res.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    const refuse = (status: number, code: number | undefined) =>
      send(status, { code, status, message: `The number ${form.To ?? ''} quoted`, more_info: '' });
    if (!operation || !pattern) return refuse(404, 20404);
    await settings.meanwhile(operation);
    const trouble = troubles.get(operation)?.shift();
    if (trouble === 'cut') return void req.socket.destroy();
    if (typeof trouble === 'object')
      return trouble.body === undefined ? refuse(trouble.status, trouble.code) : send(trouble.status, trouble.body);
    const login = Buffer.from((req.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    if (login !== `${twilioAccount}:${twilioToken}`) return refuse(401, 20003);
    const unknown = Object.keys(form).filter((name) => !parameters[operation].split(' ').includes(name));
    if (unknown.length > 0) return refuse(400, 20001);
    try {
      const { status, body } = work[operation](form, pattern.exec(called.pathname)?.slice(1) ?? []);
      if (trouble === 'error after') return refuse(500, 20500);
      if (trouble === 'not JSON after') return send(status, '<html>');
      if (trouble === 'cut after') return void req.socket.destroy();
      if (trouble === 'silence after') return undefined;
      return send(status, body);
    } catch (error) {
      if (error instanceof TwilioRefusal) return refuse(error.status, error.code);
      throw error;
    }
  }

  const { callOf, reportOf, replyOf } = twilioCallbacks(publicUrl, sid);
  const { addFile, serveFile } = twilioFiles(() => url, sid);
  const server = createServer((req, res) => void serve(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    messages,
    numbers,
    services,
    calls,
    settings,
    env: {
      SMS_ACCOUNT_SID: twilioAccount,
      SMS_AUTH_TOKEN: twilioToken,
      SMS_API_URL: url,
      SMS_MESSAGING_URL: url,
      SMS_MEDIA_URL: url,
      CODE_NUMBER: '+12125550100',
    },
    trouble: (operation: TwilioOperation, ...next: Trouble[]) => void troubles.set(operation, next),
    callOf,
    reportOf,
    replyOf,
    addFile,
    /** Changes a message's status and reports it; returns the app's status. */
    async report(app: FastifyInstance, message: TwilioMessage, status: string, code?: number): Promise<number> {
      Object.assign(message, { status, error_code: code ?? null });
      return (await app.inject(reportOf(message, status, code))).statusCode;
    },
    async reply(app: FastifyInstance, reply: { from: string; to: string; body: string; sid?: string }) {
      return (await app.inject(replyOf(reply))).statusCode;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
export type TwilioStandIn = Awaited<ReturnType<typeof openTwilio>>;
