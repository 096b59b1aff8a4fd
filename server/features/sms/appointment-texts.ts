import type { DeliveryOption } from '#contract/sms.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import type { OfficeRow } from '#server/office-row.ts';
import { appointmentTexts } from './sql.ts';

const dayMs = 86_400_000;

/** Returns a function: whether a number has a text for an appointment on the same day of the office already. */
export async function textedAppointments(
  tx: Tx,
  office: OfficeRow,
  options: readonly DeliveryOption[],
): Promise<(option: DeliveryOption) => boolean> {
  const dated = options.filter(({ appointmentAt }) => appointmentAt !== undefined);
  const times = dated.map(({ appointmentAt = '' }) => Date.parse(appointmentAt)).sort((a, b) => a - b);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return () => false;
  const keyOf = (phone: string, at: Date) => `${phone} ${dayOf(at, office.timeZone)}`;
  const texted = await appointmentTexts(tx, office.id, {
    phones: dated.map(({ phoneNumber }) => phoneNumber),
    from: new Date(first - dayMs),
    until: new Date(last + dayMs),
  });
  const keys = new Set(texted.map(({ phone, appointmentAt }) => keyOf(phone, appointmentAt)));
  return ({ phoneNumber, appointmentAt }) =>
    appointmentAt !== undefined && keys.has(keyOf(phoneNumber, new Date(appointmentAt)));
}
