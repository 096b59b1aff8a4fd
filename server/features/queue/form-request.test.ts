import { expect, test } from 'vitest';
import { sizeOfText } from '#contract/text-segments.ts';
import { formsInWords } from './form-request.ts';
import { textTemplates } from './text-templates.ts';

const publicUrl = 'https://desk.anteroom.example';
const link = `${publicUrl}/visit/${'k'.repeat(32)}`;
const builtIn = {
  en: ['Insurance Card', 'Photo ID', 'Health History', 'COVID Screening', 'Consent'],
  es: ['Tarjeta del seguro', 'Identificación con foto', 'Historial médico', 'Evaluación de COVID', 'Consentimiento'],
};
const maple = { office: 'Maple Street Pediatrics', publicUrl };

test('a request names built-in forms and counts the others', () => {
  const english = (names: (string | null)[]) => formsInWords({ ...maple, language: 'en' }, names);
  expect(english(['Consent'])).toBe('your Consent form');
  expect(english(['Photo ID', 'Consent'])).toBe('your Photo ID and Consent forms');
  expect(english(['Photo ID', null])).toBe('your Photo ID and 1 more form');
  expect(english([null, 'Photo ID', 'Consent', null])).toBe('your Photo ID, Consent, and 2 more forms');
  expect(english([null])).toBe('your forms');
  const spanish = (names: (string | null)[]) => formsInWords({ ...maple, language: 'es' }, names);
  expect(spanish(['Consentimiento'])).toBe('el formulario Consentimiento');
  expect(spanish(['Tarjeta del seguro', null])).toBe('los formularios Tarjeta del seguro y otro');
  expect(spanish([null, null])).toBe('sus formularios');
});

test('a request fits into two texts: names that would make it longer are counted', () => {
  const long = 'Clínica Pediátrica y de Medicina Familiar del Valle de San Fernando';
  for (const language of ['en', 'es'] as const)
    for (const office of [maple.office, long]) {
      const words = formsInWords({ office, language, publicUrl }, builtIn[language]);
      expect(sizeOfText(textTemplates.form[language](office, link, words)).segments).toBeLessThanOrEqual(
        words.startsWith('your forms') || words === 'sus formularios' ? 3 : 2,
      );
    }
  expect(formsInWords({ ...maple, language: 'en' }, builtIn.en)).toBe(
    'your Insurance Card, Photo ID, Health History, COVID Screening, and Consent forms',
  );
  expect(formsInWords({ ...maple, language: 'es' }, builtIn.es)).toBe(
    'los formularios Tarjeta del seguro, Historial médico, Consentimiento y otros 2',
  );
});
