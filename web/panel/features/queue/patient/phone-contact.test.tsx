import { setupI18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { messages as en } from '#web/panel/locales/en.po';
import { messages as es } from '#web/panel/locales/es.po';
import { PhoneContact } from './phone-contact.tsx';

const contactOf = (notificationsEnabled: boolean, locale: 'en' | 'es') =>
  renderToStaticMarkup(
    <I18nProvider i18n={setupI18n({ locale, messages: { en, es } })}>
      <PhoneContact device={{ notificationsEnabled }} />
    </I18nProvider>,
  );

test('a patient whose phone was on the page has opened it; the badge does not claim that it is still open', () => {
  expect(contactOf(true, 'en')).toContain('Opened the page');
  expect(contactOf(true, 'es')).toContain('Abrió la página');
  expect(contactOf(false, 'en')).toContain('Text only');
});
