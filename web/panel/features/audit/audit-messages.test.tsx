import { setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test, vi } from 'vitest';
import { auditActions, type AuditAction } from '#contract/audit-actions.ts';
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

function Message({ action }: { action: AuditAction }) {
  return useActionMessage()({ action, details: {} });
}

/** The text that the audit log shows for an action. */
function messageOf(action: AuditAction, language: keyof typeof catalogs): string {
  const i18n = setupI18n({ locale: language, messages: catalogs });
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Message action={action} />
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
