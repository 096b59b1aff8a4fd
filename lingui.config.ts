import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/** Feature rooms the patient's page is made of; all others belong to the panel. */
export const patientRooms = ['patient', 'forms-phone', 'sharing'];

/** Of these, the rooms whose words are fetched with them: nobody waits for them who only checks in. */
const formsRoom = 'web/features/forms-phone';
const sharingRoom = 'web/features/sharing';

const shared = ['web/kit', 'web/ui/plain'];
const patientFeatures = patientRooms.map((room) => `web/features/${room}`);

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'es'],
  catalogs: [
    {
      path: 'web/locales/panel/{locale}',
      include: [...shared, 'web/ui', 'web/panel', 'web/features'],
      exclude: [...patientFeatures.map((room) => `${room}/**`), 'web/ui/gallery/**', '**/*.test.*'],
    },
    {
      path: 'web/locales/patient/{locale}',
      include: [...shared, 'web/patient', ...patientFeatures],
      exclude: [`${formsRoom}/**`, `${sharingRoom}/**`, '**/*.test.*'],
    },
    {
      path: 'web/locales/forms/{locale}',
      include: [formsRoom],
      exclude: ['**/*.test.*'],
    },
    {
      path: 'web/locales/sharing/{locale}',
      include: [sharingRoom],
      exclude: ['**/*.test.*'],
    },
  ],
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
});
