import * as z from 'zod/mini';
import type { Services } from '#server/context.ts';
import { AthenaNo, athenaCalls, AthenaSilent, type AthenaCalls } from './athena-calls.ts';
import type { AthenaSettings } from './athena-settings.ts';
import { RecordingRefused, RecordingUnknown, type PaymentToRecord, type PracticeSoftware } from './port.ts';

const Methods = z.looseObject({
  paymentmethods: z.array(z.looseObject({ name: z.nullish(z.string()), paymentmethod: z.nullish(z.string()) })),
});
/** Not confirmed by the vendor; a correction belongs into `isRecorded`. */
const RecordingAnswer = z.looseObject({
  success: z.optional(z.union([z.string(), z.boolean()])),
  errormessage: z.nullish(z.string()),
});

const methodsForMs = 3_600_000;

/** athenahealth, with the cards' payments of other processors. Tested against a contract that is derived by hand, never against the live service. */
export function athenaSoftware(
  { now, log }: Pick<Services, 'now' | 'log'>,
  settings: AthenaSettings,
  patienceMs?: number,
): PracticeSoftware {
  const calls = athenaCalls(settings, now, patienceMs);
  const known = new Map<string, { until: number; methods: PaymentMethod[] }>();

  async function methodsOf(practice: string): Promise<PaymentMethod[]> {
    const before = known.get(practice);
    if (before && before.until > now().getTime()) return before.methods;
    const methods = await readMethods(calls, practice);
    known.set(practice, { until: now().getTime() + methodsForMs, methods });
    return methods;
  }

  async function prepare(payment: PaymentToRecord) {
    const form = await formOf(payment, methodsOf);
    await calls.currentToken();
    return form;
  }

  function refusalOf({ status }: AthenaNo): RecordingRefused {
    if (status === 401 || status === 403)
      log.error({ alert: 'athena', status }, 'athenahealth does not accept our calls: check ATHENA_…');
    return new RecordingRefused(`status ${status}`);
  }

  return {
    name: 'athena',
    cardMethods: async (practiceNumber) => {
      if (!isNumber(practiceNumber)) throw new RecordingRefused('no practice number');
      return (await readMethods(calls, practiceNumber)).map(({ name }) => name);
    },
    async record(payment) {
      // Until the last of this nothing is sent.
      const { path, form } = await prepare(payment).catch((error: unknown) => {
        if (error instanceof RecordingRefused) throw error;
        throw error instanceof AthenaNo ? refusalOf(error) : new RecordingRefused('not reached', false);
      });
      if (payment.signal?.aborted) throw new RecordingRefused('not reached', false);
      const answer = await calls.call(path, { form }).catch((error: unknown) => {
        throw error instanceof AthenaNo ? refusalOf(error) : new RecordingUnknown();
      });
      if (!isRecorded(answer)) throw new RecordingRefused('not accepted');
      return { recordId: null };
    },
  };
}

/** Whether the answer to `recordpayment` says that it is recorded. An answer in another shape says nothing. */
function isRecorded(answer: unknown): boolean {
  const read = z.safeParse(RecordingAnswer, answer);
  if (!read.success || read.data.success === undefined) throw new RecordingUnknown();
  return String(read.data.success) === 'true';
}

interface PaymentMethod {
  name: string;
  code: string;
}

/** The payment methods of a practice for cards that others have charged. */
async function readMethods({ call }: AthenaCalls, practice: string): Promise<PaymentMethod[]> {
  const read = z.safeParse(Methods, await call(`/v1/${practice}/configuration/validnonccpcreditcardmethods`));
  if (!read.success) throw new AthenaSilent();
  return read.data.paymentmethods.flatMap(({ name, paymentmethod: code }) => (name && code ? [{ name, code }] : []));
}

/** The call for a payment; refuses what athenahealth would refuse. One payment is one amount: the copay, or an amount toward claims. */
async function formOf(
  payment: PaymentToRecord,
  methodsOf: (practice: string) => Promise<PaymentMethod[]>,
): Promise<{ path: string; form: Record<string, string> }> {
  const { practiceNumber, department, patient, appointment, part, amountCents, card } = payment;
  if (!isNumber(practiceNumber)) throw new RecordingRefused('no practice number');
  if (!isNumber(patient.number)) throw new RecordingRefused('no patient number');
  if (!isNumber(department)) throw new RecordingRefused('department');
  if (!/^\d{4}$/.test(card.last4 ?? '')) throw new RecordingRefused('last four digits');
  const wanted = lettersOf(card.brand);
  const method = (await methodsOf(practiceNumber)).find(
    ({ name }) => wanted !== '' && lettersOf(name).includes(wanted),
  );
  if (!method) throw new RecordingRefused('payment method');
  const dollars = `${Math.floor(amountCents / 100)}.${String(amountCents % 100).padStart(2, '0')}`;
  const [year, month, day] = appointment.day.split('-');
  return {
    path: `/v1/${practiceNumber}/patients/${patient.number}/recordpayment`,
    form: {
      departmentid: department,
      paymentmethod: method.code,
      cardnumberlast4: card.last4 ?? '',
      postdate: `${month}/${day}/${year}`,
      // Which claims it pays is decided there: we do not know their numbers.
      ...(part === 'copay' ? { copayamount: dollars } : { otheramount: dollars }),
    },
  };
}

const isNumber = (text: string | null): text is string => text !== null && /^[1-9]\d{0,14}$/.test(text);

const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
