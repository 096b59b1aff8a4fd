import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PatientVisit } from '#contract/patient/visit.ts';
import { messages as en } from '#web/phone/locales/en.po';
import { messages as es } from '#web/phone/locales/es.po';
import { useStatusMessages } from './status-messages.ts';

beforeAll(() => i18n.load({ en, es }));
afterAll(() => i18n.activate('en'));

function Status({ visit }: { visit: PatientVisit }) {
  const { title, todo } = useStatusMessages(visit);
  return `${title} · ${todo}`;
}

/** What the patient reads about a visit that waits, with these fields changed. */
function statusOf(fields: Partial<PatientVisit>, language: 'en' | 'es' = 'en'): string {
  i18n.activate(language);
  const waiting = { statusCode: 'WAITING', place: 1, endReason: null, isToday: true };
  const visit = { ...waiting, createdAt: '2026-03-02T15:00:00.000Z', timeZone: 'America/New_York', ...fields };
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Status visit={visit as PatientVisit} />
    </I18nProvider>,
  );
}

test('the page promises no text to a number that gets none', () => {
  expect(statusOf({ getsTexts: true })).toContain('We’ll let you know here and by text when it’s time to come in.');
  expect(statusOf({ getsTexts: false })).toBe(
    'You’re checked in · Keep this page open: we can’t text this number. We’ll let you know here.',
  );
  expect(statusOf({ getsTexts: false }, 'es')).toContain(
    'Mantenga esta página abierta: no podemos enviar mensajes de texto a este número. Le avisaremos aquí.',
  );
});

test('only a patient who was called in reads that the practice called', () => {
  const removed = { statusCode: 'DOCTOR_CANCELLED', endReason: 'no-show' } as const;
  expect(statusOf({ ...removed, wasCalled: true })).toContain('We called you in and did not see you.');
  expect(statusOf(removed)).toContain('We called you in and did not see you.');
  expect(statusOf({ ...removed, wasCalled: false })).toBe(
    'Your visit was closed · If you are still here, please check in again or see the front desk.',
  );
  expect(statusOf({ ...removed, wasCalled: false }, 'es')).toContain('Su visita fue cerrada');
});

test('the page of an older server, which does not say whether the number gets texts, promises one', () => {
  expect(statusOf({})).toContain('here and by text');
});
