import { i18n } from '@lingui/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messages as en } from '#web/phone/locales/en.po';
import { messages as es } from '#web/phone/locales/es.po';
import { CallError } from './call.ts';
import { errorMessage, refusalMessage } from './error-messages.ts';

beforeAll(() => i18n.load({ en, es }));
afterAll(() => i18n.activate('en'));

const refusal = (status: number, title: string, retryAfter?: string) => new CallError(status, { title }, retryAfter);
const inLanguage = (language: string, say: () => string) => {
  i18n.activate(language);
  return say();
};

test.each([
  ['1', 'You can try again in 1 second.', 'Puede intentarlo de nuevo en 1 segundo.'],
  ['89', 'You can try again in 89 seconds.', 'Puede intentarlo de nuevo en 89 segundos.'],
  ['90', 'You can try again in 2 minutes.', 'Puede intentarlo de nuevo en 2 minutos.'],
  ['2400', 'You can try again in 40 minutes.', 'Puede intentarlo de nuevo en 40 minutos.'],
  ['86400', 'You can try again in 24 hours.', 'Puede intentarlo de nuevo en 24 horas.'],
])("a limit's refusal ends with the wait of %s seconds", (retryAfter, english, spanish) => {
  const error = refusal(429, 'Too many.', retryAfter);
  expect(inLanguage('en', () => refusalMessage(error))).toBe(`Too many. ${english}`);
  expect(inLanguage('es', () => errorMessage(error, 'offline'))).toBe(`Too many. ${spanish}`);
});

test('every other failure is a sentence without a wait', () => {
  i18n.activate('en');
  expect(errorMessage(refusal(409, 'Already moved.', '60'), 'offline')).toBe('Already moved.');
  expect(errorMessage(refusal(429, 'Too many.'), 'offline')).toBe('Too many.');
  expect(errorMessage(refusal(502, ''), 'offline')).toBe(
    'The server is not available right now. Please try again in a moment.',
  );
  expect(errorMessage(refusal(0, ''), 'offline')).toBe('offline');
  expect(errorMessage(new TypeError('x is not a function'), 'offline')).toBe('Something went wrong. Please try again.');
});
