import { setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { CallError } from '#web/kit/call.ts';
import { messages as en } from '#web/panel/locales/en.po';
import { messages as es } from '#web/panel/locales/es.po';

let useConflictMessage: typeof import('./refused-moves.ts').useConflictMessage;
beforeAll(async () => {
  // The product's name is read from the page when the module is loaded.
  vi.stubGlobal('document', { getElementById: () => null });
  ({ useConflictMessage } = await import('./refused-moves.ts'));
  vi.unstubAllGlobals();
});

function Message({ error }: { error: unknown }) {
  return useConflictMessage()(error);
}

const messageOf = (error: unknown, locale: 'en' | 'es' = 'en') =>
  renderToStaticMarkup(
    <I18nProvider i18n={setupI18n({ locale, messages: { en, es } })}>
      <Message error={error} />
    </I18nProvider>,
  );

const conflict = (actedBy: { kind: string; name: string | null }) =>
  new CallError(409, {
    type: 'urn:anteroom:problem:visit_moved_on',
    title: 'Someone already updated this patient.',
    current: { statusCode: 'REINVITED', autoInviteAt: null, endReason: null, actedBy },
  });

test('the message of a conflict names the person who was faster, and what they did', () => {
  expect(messageOf(conflict({ kind: 'staff', name: 'Mina Park' }))).toBe(
    'Mina Park already updated this patient: Reinvited.',
  );
  expect(messageOf(conflict({ kind: 'staff', name: null }))).toBe('Someone already updated this patient: Reinvited.');
  expect(messageOf(conflict({ kind: 'patient', name: null }))).toBe(
    'The patient already updated this visit: Reinvited.',
  );
});

test('the message of a refusal that is no conflict is the server’s', () => {
  expect(messageOf(new CallError(409, { type: 'urn:x:visit_not_today', title: 'Not today.' }))).toBe('Not today.');
});
