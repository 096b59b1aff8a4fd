import type { ListedForm } from '#contract/forms/desk.ts';
import { dayOf } from '#web/kit/office-clock.ts';

/** The forms of one patient on one day. */
export interface PatientGroup {
  key: string;
  name: string;
  birthDate: string | null;
  forms: ListedForm[];
}

export interface DayGroup {
  /** In the office's time zone, YYYY-MM-DD. */
  day: string;
  patients: PatientGroup[];
}

/** A page of the list by day and patient, in its order: the newest first. Two patients of one name differ by birthday, or by visit. */
export function groupForms(forms: readonly ListedForm[], timeZone: string | undefined): DayGroup[] {
  const days: DayGroup[] = [];
  for (const form of forms) {
    const { patientName: name, birthDate, visitId, completedAt } = form;
    const day = dayOf(completedAt, timeZone);
    let onDay = days.find((one) => one.day === day);
    if (!onDay) days.push((onDay = { day, patients: [] }));
    const key = `${day} ${birthDate ?? visitId} ${name}`;
    const patient = onDay.patients.find((one) => one.key === key);
    if (patient) patient.forms.push(form);
    else onDay.patients.push({ key, name, birthDate, forms: [form] });
  }
  return days;
}
