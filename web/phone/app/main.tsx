import '#web/kit/styles/tokens.css';
import '#web/kit/styles/base.css';
import './phone.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { PatientBoot } from '#contract/patient/page-boot.ts';
import { boot } from '#web/kit/boot.ts';
import { startMessages } from '#web/kit/i18n.ts';
import * as en from '#web/phone/locales/en.po';
import { PhoneApp } from './phone-app.tsx';

// The fonts of the phone: nothing to wait for, and the page stays small.
const { visit } = boot<PatientBoot>();
// A patient who is only expected has not chosen a language yet, so the phone's language is the better guess.
const ofPatient = visit?.statusCode === 'EXPECTED' ? null : visit?.language;
const catalogs = { en: () => en, es: () => import('#web/phone/locales/es.po') };

async function showPage(): Promise<void> {
  // English is here already; a phone whose network fails just now gets that instead of nothing.
  await startMessages(catalogs, ofPatient).catch(() => startMessages(catalogs, 'en'));
  const page = createRoot(document.getElementById('root')!);
  // Synchronously: otherwise React would paint an empty first frame.
  flushSync(() =>
    page.render(
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <PhoneApp />
        </I18nProvider>
      </StrictMode>,
    ),
  );
}

// Not at the top level: a module that waits there keeps the bundler from leaving out chunks that only pass on others.
void showPage();
