import { createHash } from 'node:crypto';

export const twilioAccount = 'AC0123456789abcdef0123456789abcdef';
export const twilioToken = '7f0c2b9d4e6a18357f0c2b9d4e6a1835';

export type TwilioOperation = keyof typeof parameters;

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

/** The parameters of our calls that Twilio knows; the stand-in refuses any other. */
export const parameters = {
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

/** Where the API has what belongs to the account. */
export const accountPath = `/2010-04-01/Accounts/${twilioAccount}`;

export class TwilioRefusal extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number) {
    super();
    this.status = status;
    this.code = code;
  }
}

/** What a test decides about the account. */
export interface TwilioSettings {
  pageSize: number;
  forSale: string[];
  isListed(message: TwilioMessage): boolean;
}

/** An account: its messages, numbers and Messaging Services, and what each call does to them. */
export function openTwilioAccount(settings: TwilioSettings, now: () => Date) {
  const messages: TwilioMessage[] = [];
  const numbers = new Map<string, { sid: string; phone_number: string; friendly_name: string }>();
  const services = new Map<
    string,
    { sid: string; friendly_name: string; inbound_request_url: string; pool: string[] }
  >();
  let made = 0;
  const sid = (kind: string) => `${kind}${createHash('md5').update(`${kind} ${++made}`).digest('hex')}`;

  const work: Record<
    TwilioOperation,
    (form: Record<string, string>, ids: string[]) => { status: number; body: object }
  > = {
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
      const next_page_uri = more ? `${accountPath}/Messages.json?${query.toString()}` : null;
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

  return { messages, numbers, services, sid, work };
}
