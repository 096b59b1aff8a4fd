import type { TextErrorClass } from '#contract/queue.ts';

/**
 * What Twilio's error codes mean for a practice. Twilio moves and splits codes without notice, so they are data, and every unknown code has
 * a class too, by its range or by the HTTP status.
 */
const classOfCode: Readonly<Record<number, TextErrorClass>> = {
  // The account and its permissions.
  20003: 'sender', // wrong login
  20005: 'sender', // account not active
  20006: 'sender',
  20008: 'sender', // test credentials
  20403: 'sender',
  20404: 'sender', // no such account or service
  20429: 'rate',
  14107: 'rate',
  // Messages that were not accepted.
  21211: 'bad-number',
  21212: 'sender',
  21214: 'bad-number',
  21217: 'bad-number',
  21265: 'bad-number', // to a short code
  21266: 'bad-number', // to itself
  21408: 'sender', // the account may not text this country
  21601: 'sender',
  21602: 'other', // no text
  21603: 'sender',
  21604: 'bad-number',
  21606: 'sender', // not a number of this account
  21608: 'sender', // a trial account texts verified numbers only
  21609: 'sender', // the address of our callbacks
  21610: 'opted-out',
  21611: 'rate', // the number's queue is full
  21612: 'bad-number',
  21614: 'bad-number', // not a mobile number
  21617: 'other', // over 1,600 characters
  21635: 'landline',
  21659: 'sender',
  21660: 'sender',
  21661: 'sender',
  21703: 'sender', // the service has no number
  21705: 'sender',
  35114: 'other', // scheduling: we never request it
  35115: 'other',
  35117: 'other',
  // Messages that were accepted and not delivered.
  30001: 'rate',
  30002: 'sender', // account suspended
  30003: 'delivery', // phone switched off or out of reach
  30004: 'delivery', // blocked
  30005: 'bad-number',
  30006: 'landline',
  30007: 'delivery', // filtered
  30008: 'delivery',
  30010: 'other',
  30018: 'rate',
  30022: 'rate',
  30023: 'rate',
  30024: 'sender',
  30032: 'sender', // toll-free number not verified
  30033: 'sender',
  30034: 'sender', // number not registered for A2P 10DLC
  30035: 'sender',
  57012: 'sender', // a signature that does not fit the auth token
};

/** By thousands: 20xxx the account, 21xxx the request, 30xxx the delivery. */
const classOfRange: Readonly<Record<number, TextErrorClass>> = { 20: 'sender', 21: 'other', 30: 'delivery' };

const classOfStatus: Readonly<Record<number, TextErrorClass>> = {
  401: 'sender',
  403: 'sender',
  404: 'sender',
  429: 'rate',
};

/** The class of a refused call. */
export function classOfRefusal({ code, status }: { code: number | null; status: number }): TextErrorClass {
  const byCode = code === null ? undefined : (classOfCode[code] ?? classOfRange[Math.floor(code / 1_000)]);
  return byCode ?? classOfStatus[status] ?? 'other';
}

/** The class of a text that was accepted and not delivered. */
export function classOfFailure(code: number | null): TextErrorClass {
  if (code === null) return 'delivery';
  return classOfCode[code] ?? classOfRange[Math.floor(code / 1_000)] ?? 'delivery';
}
