import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startWords } from '#web/kit/i18n.ts';
import * as en from '#web/locales/panel/en.po';
import { Shell } from './shell.tsx';

await startWords({ en: () => en, es: () => import('#web/locales/panel/es.po') });
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <Shell />
    </I18nProvider>
  </StrictMode>,
);
