import type { Services } from '#server/context.ts';
import { behaviorOf, findAppointment, findPatient, insertPayment, payClaim } from './local-sql.ts';
import { RecordingRefused, RecordingUnknown, type PaymentToRecord, type PracticeSoftware } from './port.ts';

const departments = ['1'];
const methodOf: Record<string, string> = {
  Visa: 'VISA',
  Mastercard: 'MASTERCARD',
  'American Express': 'AMERICANEXPRESS',
  Discover: 'DISCOVER',
};
/** What a patient owes on earlier claims when this software first hears of them. */
const openClaimCents = 1_000_000;

/** The local practice software: a ledger of patients, appointments, claims and payments. It is as strict as the real one, and as forgetful. */
export function localPracticeSoftware({ db, id, now }: Pick<Services, 'db' | 'id' | 'now'>): PracticeSoftware {
  return {
    name: 'local',
    cardMethods: async () => Object.keys(methodOf),
    async record(payment) {
      const { practice, department, patient, appointment, part, amountCents, card, note } = payment;
      const method = checkedMethod(payment);
      const mode = await behaviorOf(db, practice);
      if (mode === 'refuse') throw new RecordingRefused('not accepting payments');
      const recordId = id();
      await db.transaction().execute(async (tx) => {
        const patientId = await findPatient(tx, id, {
          practice,
          userCode: patient.userCode,
          name: patient.name,
          department,
          openCents: openClaimCents,
        });
        const claimId = part === 'claims' ? await payClaim(tx, patientId, amountCents) : undefined;
        if (part === 'claims' && claimId === undefined) throw new RecordingRefused('no open claim');
        await insertPayment(tx, {
          id: recordId,
          patientId,
          appointmentId: part === 'copay' ? await findAppointment(tx, id, { patientId, ...appointment }) : null,
          claimId: claimId ?? null,
          method,
          cardLast4: card.last4,
          amountCents,
          note,
          at: now(),
        });
      });
      if (mode === 'no-answer') throw new RecordingUnknown();
      return { recordId };
    },
  };
}

/** The payment's method in this software's terms; refuses what the real one refuses. */
function checkedMethod({ department, card }: PaymentToRecord): string {
  if (!departments.includes(department)) throw new RecordingRefused('department');
  const method = methodOf[card.brand];
  if (method === undefined) throw new RecordingRefused('payment method');
  if (!/^\d{4}$/.test(card.last4 ?? '')) throw new RecordingRefused('last four digits');
  return method;
}
