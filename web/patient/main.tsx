import '#web/ui/plain/tokens.css';
import '#web/ui/plain/base.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { PatientBoot } from '#contract/patient.ts';
import { boot } from '#web/kit/boot.ts';
import { startWords } from '#web/kit/i18n.ts';
import * as en from '#web/locales/patient/en.po';
import { PatientPage } from './patient-page.tsx';

// The fonts of the phone: nothing to wait for, and the page stays small.
const ofPatient = boot<PatientBoot>().visit?.language;
await startWords({ en: () => en, es: () => import('#web/locales/patient/es.po') }, ofPatient);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <PatientPage />
    </I18nProvider>
  </StrictMode>,
);
