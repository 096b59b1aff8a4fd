import '#web/kit/styles/tokens.css';
import '#web/kit/styles/base.css';
import '#web/panel/ui/fonts/fonts.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { boot } from '#web/kit/boot.ts';
import { startMessages } from '#web/kit/i18n.ts';
import { renewToken } from '#web/kit/renew-token.ts';
import { watchNewVersion } from '#web/kit/new-version.ts';
import { rememberOffice, watchSession, type Session } from '#web/kit/session.ts';
import { startTooltips } from '#web/panel/ui/tips.ts';
import { Toaster } from '#web/panel/ui/toaster.tsx';
import { IdleWatch } from './idle-watch.tsx';
import { ApplyPreferences } from './apply-preferences.tsx';
import { NavigateByGate } from './navigate-by-gate.tsx';
import { makeQueryClient } from './query-client.ts';
import { makeRouter } from './router.ts';

watchNewVersion();
startTooltips();
const cache = makeQueryClient();
rememberOffice(cache);
watchSession(cache);
renewToken(cache);
const router = makeRouter(cache);

const ofPerson = boot<{ session: Session }>().session?.person?.language;
// English is in the files that show it (vite.config.ts).
await startMessages({ en: () => ({ messages: {} }), es: () => import('#web/panel/locales/es.po') }, ofPerson);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={cache}>
        <ApplyPreferences />
        <NavigateByGate onGateChange={() => void router.invalidate()} />
        <RouterProvider router={router} />
        <IdleWatch />
        <Toaster />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
