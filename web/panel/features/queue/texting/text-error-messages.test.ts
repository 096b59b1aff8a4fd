import { i18n } from '@lingui/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TextLimitName } from '#contract/queue.ts';
import { serverNow } from '#web/kit/clock.ts';
import { messages as en } from '#web/panel/locales/en.po';
import { messages as es } from '#web/panel/locales/es.po';
import { textErrorAdvice, textErrorReason, withWait } from './text-error-messages.ts';

beforeAll(() => i18n.load({ en, es }));
afterAll(() => i18n.activate('en'));

const inMinutes = (minutes: number) => new Date(serverNow() + minutes * 60_000).toISOString();
const limits: [TextLimitName, number, string, string][] = [
  [
    'practice-hour',
    40,
    'Your practice has reached its limit of texts for this hour. Please call the patient. You can try again in 40 minutes.',
    'Su consultorio ya envió todos los mensajes que puede enviar en una hora. Llame al paciente. Puede intentarlo de nuevo en 40 minutos.',
  ],
  [
    'number-hour',
    40,
    'This number has reached its limit of texts for this hour. Please call the patient. You can try again in 40 minutes.',
    'Este número ya recibió todos los mensajes que puede recibir en una hora. Llame al paciente. Puede intentarlo de nuevo en 40 minutos.',
  ],
  [
    'number-day',
    20 * 60,
    'This number has reached its limit of texts for the day. Please call the patient. You can try again in 20 hours.',
    'Este número ya recibió todos los mensajes que puede recibir en un día. Llame al paciente. Puede intentarlo de nuevo en 20 horas.',
  ],
  [
    'unconfirmed-day',
    5 * 60,
    'Your practice is not confirmed yet and has reached its limit of texts for today. Please call the patient, or press “Confirm your practice” at the top of the page. You can try again in 5 hours.',
    'Su consultorio aún no está confirmado y ya envió todos los mensajes que puede enviar hoy. Llame al paciente o presione «Confirme su consultorio» en la parte superior de la página. Puede intentarlo de nuevo en 5 horas.',
  ],
];

test.each(limits)(
  'an invite held by the limit %s says why, what to do and when to try again',
  (problem, minutes, ...messages) => {
    const said = ['en', 'es'].map((language) => {
      i18n.activate(language);
      return textErrorAdvice({ problem, limitedUntil: inMinutes(minutes) });
    });
    expect(said).toEqual(messages);
  },
);

test('the wait is left out once the limit allows the next text', () => {
  i18n.activate('en');
  expect(textErrorAdvice({ problem: 'practice-hour', limitedUntil: inMinutes(-1) })).toBe(
    'Your practice has reached its limit of texts for this hour. Please call the patient.',
  );
  expect(withWait(`Held back: ${textErrorReason('number-day')}.`, null)).toBe(
    'Held back: this number has reached its limit of texts for the day.',
  );
});
