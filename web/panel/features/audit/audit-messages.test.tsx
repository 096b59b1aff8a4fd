import { setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { auditActions, type AuditAction } from '#contract/audit-actions.ts';
import type { AuditEntry } from './use-audit.ts';
import { messages as en } from '#web/panel/locales/en.po';
import { messages as es } from '#web/panel/locales/es.po';

const catalogs = { en, es };
const languages = ['en', 'es'] as const;

let useActionMessage: typeof import('./audit-messages.tsx').useActionMessage;
beforeAll(async () => {
  // The product's name is read from the page when the module is loaded.
  vi.stubGlobal('document', { getElementById: () => null });
  ({ useActionMessage } = await import('./audit-messages.tsx'));
  vi.unstubAllGlobals();
});

type Details = AuditEntry['details'];
function Message({ action, details }: { action: AuditAction; details: Details }) {
  return useActionMessage()({ action, details });
}

/** The text that the audit log shows for an action. */
function messageOf(action: AuditAction, language: keyof typeof catalogs, details: Details = {}): string {
  const i18n = setupI18n({ locale: language, messages: catalogs });
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Message action={action} details={details} />
    </I18nProvider>,
  );
}

test.each(languages)('the audit log shows no action as a bare code, in %s', (language) => {
  const bare = auditActions.filter((action) => messageOf(action, language) === action);
  expect(bare).toEqual([]);
});

test('the audit log shows every action in Spanish too', () => {
  const untranslated = auditActions.filter((action) => messageOf(action, 'en') === messageOf(action, 'es'));
  expect(untranslated).toEqual([]);
});

test.each([
  ['settings.change', { changed: 'greeting queue.lateMinutes' }, 'Cambió los ajustes: saludo y avisos de demora'],
  ['flags.change', { flag: 'disableCheckin', value: true }, 'Activó disableCheckin'],
  ['flags.change', { flag: 'disableCheckin', value: false }, 'Desactivó disableCheckin'],
  ['flags.change', { flag: 'disableCheckin', value: null }, 'Restableció disableCheckin a su valor predeterminado'],
  ['visit.move', { move: 'invite' }, 'Invitó por mensaje'],
  ['audit.verify', { findings: 2 }, 'Comprobó el registro de actividad: problemas encontrados: 2'],
] as const)('the audit log shows what changed: %s %j', (action, details, message) => {
  expect(messageOf(action, 'es', details)).toBe(message);
});
