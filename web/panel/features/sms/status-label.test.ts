import { i18n } from '@lingui/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VisitStatus } from '#contract/queue.ts';
import { smsLabelOf, smsStatusOf } from '#contract/sms-checkin.ts';
import { messages as en } from '#web/panel/locales/en.po';
import { messages as es } from '#web/panel/locales/es.po';
import { statusLabel } from './status-label.ts';

const now = Date.parse('2026-03-02T15:00:00Z');
const soon = '2026-03-02T15:10:00.000Z';
const due = '2026-03-02T14:59:59.000Z';

beforeAll(() => i18n.load({ en, es }));
afterAll(() => i18n.activate('en'));

/** The label of a visit in this status, as the server names it and the row shows it. */
function labelOf(language: 'en' | 'es', status: VisitStatus, autoInviteAt: string | null = null): string {
  i18n.activate(language);
  const label = smsLabelOf(status, autoInviteAt !== null);
  const arrivedAt = status === 'EXPECTED' ? null : '2026-03-02T14:50:00.000Z';
  return statusLabel({ status: smsStatusOf(status), label, arrivedAt, autoInviteAt }, now, '10:10 AM');
}

test.each<[VisitStatus, string | null, string, string]>([
  ['EXPECTED', null, '', ''],
  ['EXPECTED', soon, '', ''],
  ['WAITING', null, 'Waiting', 'En espera'],
  ['WAITING', soon, 'Will auto-invite at 10:10 AM', 'Se invitará automáticamente a las 10:10 AM'],
  ['WAITING', due, 'Will auto-invite patient', 'Se invitará automáticamente al paciente'],
  ['INVITED', null, 'Invited', 'Invitado'],
  ['REINVITED', null, 'Invited', 'Invitado'],
  ['GOING', null, 'Is on the way', 'Va en camino'],
  ['PATIENT_DONE', null, 'Done!', '¡Listo!'],
  ['PATIENT_CANCELLED', null, 'Canceled by the patient', 'Cancelada por el paciente'],
  ['DOCTOR_CANCELLED', null, 'Moved to history', 'En el historial'],
])('a row in %s with auto-invite at %s shows "%s"', (status, autoInviteAt, english, spanish) => {
  expect([labelOf('en', status, autoInviteAt), labelOf('es', status, autoInviteAt)]).toEqual([english, spanish]);
});

test.each([
  ['going', 'Is on the way'],
  ['cancelled', 'Canceled'],
])('the label "%s", as other programs get it, is shown as "%s"', (label, english) => {
  i18n.activate('en');
  expect(statusLabel({ status: 'ENTER', label, arrivedAt: soon, autoInviteAt: null }, now, '')).toBe(english);
});
