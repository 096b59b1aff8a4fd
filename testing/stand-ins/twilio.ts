import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { signTwilio, twilioSignatureHeader } from '#server/providers/sms/twilio-signature.ts';

export const twilioAccount = 'AC0123456789abcdef0123456789abcdef';
export const twilioToken = '7f0c2b9d4e6a18357f0c2b9d4e6a1835';

type Operation = keyof typeof parameters;

/** How a call fails: refused, unanswered, or carried out with the answer lost. */
export type Trouble =
  | { status: number; code?: number; body?: string }
  | 'cut'
  | 'error after'
  | 'silence after'
  | 'cut after'
  | 'not JSON after';

export interface TwilioMessage {
  sid: string;
  to: string;
  from: string;
  body: string;
  status: string;
  direction: 'outbound-api' | 'inbound';
  error_code: number | null;
  date_created: string;
  messaging_service_sid: string | null;
  statusCallback: string;
}

/** The parameters of our calls that Twilio knows; any other is refused here. */
const parameters = {
  createMessage: 'To From MessagingServiceSid Body SmartEncoded StatusCallback',
  listMessages: 'To From PageSize Page PageToken',
  listNumbers: 'PhoneNumber FriendlyName PageSize Page PageToken',
  buyNumber: 'PhoneNumber FriendlyName SmsUrl SmsMethod SmsFallbackUrl SmsFallbackMethod',
  searchNumbers: 'AreaCode Contains SmsEnabled InPostalCode InRegion ExcludeAllAddressRequired PageSize',
  listServices: 'PageSize Page PageToken',
  makeService:
    'FriendlyName InboundRequestUrl InboundMethod FallbackUrl FallbackMethod StatusCallback SmartEncoding Usecase UseInboundWebhookOnNumber',
  readPool: '',
  addToPool: 'PhoneNumberSid',
};

const account = `/2010-04-01/Accounts/${twilioAccount}`;
const routes: [string, RegExp, Operation][] = [
  ['POST', new RegExp(`^${account}/Messages\\.json$`), 'createMessage'],
  ['GET', new RegExp(`^${account}/Messages\\.json$`), 'listMessages'],
  ['GET', new RegExp(`^${account}/IncomingPhoneNumbers\\.json$`), 'listNumbers'],
  ['POST', new RegExp(`^${account}/IncomingPhoneNumbers\\.json$`), 'buyNumber'],
  ['GET', new RegExp(`^${account}/AvailablePhoneNumbers/US/Local\\.json$`), 'searchNumbers'],
  ['GET', /^\/v1\/Services$/, 'listServices'],
  ['POST', /^\/v1\/Services$/, 'makeService'],
  ['GET', /^\/v1\/Services\/(MG\w{32})\/PhoneNumbers\/(PN\w{32})$/, 'readPool'],
  ['POST', /^\/v1\/Services\/(MG\w{32})\/PhoneNumbers$/, 'addToPool'],
];

class TwilioRefusal extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number) {
    super();
    this.status = status;
    this.code = code;
  }
}

/**
 * Twilio on loopback, as far as we use it: stores messages, numbers and Messaging Services, refuses what it does not know, sells a number
 * once, is otherwise not idempotent, and can fail before or after it carried out a call. It sends no callbacks by itself: `report` and
 * `reply` send its signed calls to an app under test.
 */
export async function openTwilio({ now, publicUrl = 'http://localhost:3000' }: { now(): Date; publicUrl?: string }) {
  const messages: TwilioMessage[] = [];
  const numbers = new Map<string, { sid: string; phone_number: string; friendly_name: string }>();
  const services = new Map<
    string,
    { sid: string; friendly_name: string; inbound_request_url: string; pool: string[] }
  >();
  const calls: { operation: string; form: Record<string, string>; status: number }[] = [];
  const troubles = new Map<Operation, Trouble[]>();
  /** Files of incoming messages, by their path; with where the API redirects to, if not to the media host. */
  const files = new Map<string, { content: Buffer; redirect?: string }>();
  const settings = {
    pageSize: 1_000,
    forSale: [] as string[],
    isListed: (_message: TwilioMessage) => true,
    /** Runs while a call waits for its answer. */
    meanwhile: async (_operation: Operation): Promise<void> => undefined,
  };
  let made = 0;
  const sid = (kind: string) => `${kind}${createHash('md5').update(`${kind} ${++made}`).digest('hex')}`;

  const work: Record<Operation, (form: Record<string, string>, ids: string[]) => { status: number; body: object }> = {
    createMessage(form) {
      if (!form.To || !form.Body || !form.From) throw new TwilioRefusal(400, 21604);
      if (form.Body.length > 1_600) throw new TwilioRefusal(400, 21617);
      if (!/^\+1\d{10}$/.test(form.To)) throw new TwilioRefusal(400, 21211);
      const message: TwilioMessage = {
        sid: sid('SM'),
        to: form.To,
        from: form.From,
        body: form.Body,
        status: 'queued',
        direction: 'outbound-api',
        error_code: null,
        date_created: now().toUTCString(),
        messaging_service_sid: form.MessagingServiceSid ?? null,
        statusCallback: form.StatusCallback ?? '',
      };
      messages.push(message);
      return { status: 201, body: message };
    },
    listMessages({ To, From, Page = '0' }) {
      const found = messages
        .filter((one) => one.to === To && one.from === From && settings.isListed(one))
        .map(({ statusCallback: _kept, ...one }) => one)
        .toReversed();
      const from = Number(Page) * settings.pageSize;
      const more = found.length > from + settings.pageSize;
      const query = new URLSearchParams({
        To: To ?? '',
        From: From ?? '',
        Page: String(Number(Page) + 1),
        PageToken: 'PA',
      });
      const next_page_uri = more ? `${account}/Messages.json?${query.toString()}` : null;
      return { status: 200, body: { messages: found.slice(from, from + settings.pageSize), next_page_uri } };
    },
    listNumbers({ PhoneNumber }) {
      const found = [...numbers.values()].filter((one) => !PhoneNumber || one.phone_number === PhoneNumber);
      return { status: 200, body: { incoming_phone_numbers: found } };
    },
    searchNumbers() {
      const available_phone_numbers = settings.forSale.map((phone_number) => ({ phone_number }));
      return { status: 200, body: { available_phone_numbers } };
    },
    buyNumber({ PhoneNumber = '', FriendlyName = '' }) {
      if (!settings.forSale.includes(PhoneNumber)) throw new TwilioRefusal(400, 21422);
      settings.forSale = settings.forSale.filter((one) => one !== PhoneNumber);
      const number = { sid: sid('PN'), phone_number: PhoneNumber, friendly_name: FriendlyName };
      numbers.set(PhoneNumber, number);
      return { status: 201, body: number };
    },
    listServices({ Page = '0' }) {
      const all = [...services.values()];
      const from = Number(Page) * settings.pageSize;
      const more = all.length > from + settings.pageSize;
      const next_page_url = more ? `https://messaging.twilio.com/v1/Services?Page=${Number(Page) + 1}` : null;
      return { status: 200, body: { services: all.slice(from, from + settings.pageSize), meta: { next_page_url } } };
    },
    makeService({ FriendlyName, InboundRequestUrl = '' }) {
      if (!FriendlyName || FriendlyName.length > 64) throw new TwilioRefusal(400, 20001);
      const service = {
        sid: sid('MG'),
        friendly_name: FriendlyName,
        inbound_request_url: InboundRequestUrl,
        pool: [],
      };
      services.set(service.sid, service);
      return { status: 201, body: service };
    },
    readPool(_form, [service = '', number = '']) {
      if (!services.get(service)?.pool.includes(number)) throw new TwilioRefusal(404, 20404);
      return { status: 200, body: { sid: number } };
    },
    addToPool({ PhoneNumberSid = '' }, [service = '']) {
      const { pool } = services.get(service) ?? {};
      if (!pool) throw new TwilioRefusal(404, 20404);
      if ([...services.values()].some((one) => one.pool.includes(PhoneNumberSid))) throw new TwilioRefusal(409, 21710);
      pool.push(PhoneNumberSid);
      return { status: 201, body: { sid: PhoneNumberSid } };
    },
  };

  /** The API redirects to a file; the media host has it, and must not get our login. */
  function serveFile({ headers, method }: IncomingMessage, res: ServerResponse, path: string): boolean {
    const isStored = path.startsWith('/stored');
    const file = files.get(isStored ? path.slice('/stored'.length) : path);
    if (method !== 'GET' || !file) return false;
    if (isStored && headers.authorization === undefined) res.writeHead(200).end(file.content);
    else if (!isStored && headers.authorization === `Basic ${btoa(`${twilioAccount}:${twilioToken}`)}`)
      res.writeHead(307, { location: file.redirect ?? `${url}/stored${path}` }).end();
    else res.writeHead(401).end();
    return true;
  }

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

  const server = createServer((req, res) => void serve(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** One of Twilio's callbacks, signed over the URL as Twilio knows it. */
  const callOf = (address: string, fields: Record<string, string>) => {
    const form = new URLSearchParams({ AccountSid: twilioAccount, ApiVersion: '2010-04-01', ...fields });
    const { pathname, search } = new URL(address);
    return {
      method: 'POST' as const,
      url: `${pathname}${search}`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        [twilioSignatureHeader]: signTwilio(twilioToken, address, form),
      },
      payload: form.toString(),
    };
  };

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
    trouble: (operation: Operation, ...next: Trouble[]) => void troubles.set(operation, next),
    callOf,
    /** The report of a message's new status. */
    reportOf: (message: TwilioMessage, status: string, code?: number) =>
      callOf(message.statusCallback, {
        MessageSid: message.sid,
        SmsSid: message.sid,
        MessageStatus: status,
        SmsStatus: status,
        To: message.to,
        From: message.from,
        ...(code && { ErrorCode: String(code) }),
      }),
    /** A file that a phone sends; returns its address. */
    addFile(content: Buffer, redirect?: string): string {
      const path = `${account}/Messages/${sid('MM')}/Media/${sid('ME')}`;
      files.set(path, { content, ...(redirect !== undefined && { redirect }) });
      return `${url}${path}`;
    },
    /** A text from a phone. */
    replyOf: (reply: {
      from: string;
      to: string;
      body: string;
      sid?: string;
      files?: { url: string; type: string }[];
    }) => {
      const id = reply.sid ?? sid('SM');
      const media = (reply.files ?? []).flatMap((file, i) => [
        [`MediaUrl${i}`, file.url],
        [`MediaContentType${i}`, file.type],
      ]);
      return callOf(`${publicUrl}/api/sms/inbound`, {
        MessageSid: id,
        SmsSid: id,
        SmsStatus: 'received',
        From: reply.from,
        To: reply.to,
        Body: reply.body,
        NumMedia: String(reply.files?.length ?? 0),
        NumSegments: '1',
        ...Object.fromEntries(media),
      });
    },
    /** Changes a message's status and reports it; returns the app's status. */
    async report(app: FastifyInstance, message: TwilioMessage, status: string, code?: number): Promise<number> {
      Object.assign(message, { status, error_code: code ?? null });
      return (await app.inject(this.reportOf(message, status, code))).statusCode;
    },
    async reply(app: FastifyInstance, reply: { from: string; to: string; body: string; sid?: string }) {
      return (await app.inject(this.replyOf(reply))).statusCode;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
export type TwilioStandIn = Awaited<ReturnType<typeof openTwilio>>;
