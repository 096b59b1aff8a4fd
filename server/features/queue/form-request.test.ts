import { expect, test } from 'vitest';
import { sizeOfText } from '#contract/text-segments.ts';
import { formsPhrase } from './form-request.ts';
import { textTemplates } from './text-templates.ts';

const publicUrl = 'https://desk.anteroom.example';
const link = `${publicUrl}/visit/${'k'.repeat(32)}`;
const builtIn = {
  en: ['Insurance Card', 'Photo ID', 'Health History', 'COVID Screening', 'Consent'],
  es: ['Tarjeta del seguro', 'Identificación con foto', 'Historial médico', 'Evaluación de COVID', 'Consentimiento'],
};
const maple = { office: 'Maple Street Pediatrics', publicUrl };

test('a request names built-in forms and counts the others', () => {
  const english = (names: (string | null)[]) => formsPhrase({ ...maple, language: 'en' }, names);
  expect(english(['Consent'])).toBe('your Consent form');
  expect(english(['Photo ID', 'Consent'])).toBe('your Photo ID and Consent forms');
  expect(english(['Photo ID', null])).toBe('your Photo ID and 1 more form');
  expect(english([null, 'Photo ID', 'Consent', null])).toBe('your Photo ID, Consent, and 2 more forms');
  expect(english([null])).toBe('your forms');
  const spanish = (names: (string | null)[]) => formsPhrase({ ...maple, language: 'es' }, names);
  expect(spanish(['Consentimiento'])).toBe('el formulario Consentimiento');
  expect(spanish(['Tarjeta del seguro', null])).toBe('los formularios Tarjeta del seguro y otro');
  expect(spanish([null, null])).toBe('sus formularios');
});

test('a request fits into two texts: names that would make it longer are counted', () => {
  const long = 'Clínica Pediátrica y de Medicina Familiar del Valle de San Fernando';
  for (const language of ['en', 'es'] as const)
    for (const office of [maple.office, long]) {
      const phrase = formsPhrase({ office, language, publicUrl }, builtIn[language]);
      expect(sizeOfText(textTemplates.form[language](office, link, phrase)).segments).toBeLessThanOrEqual(
        phrase.startsWith('your forms') || phrase === 'sus formularios' ? 3 : 2,
      );
    }
  expect(formsPhrase({ ...maple, language: 'en' }, builtIn.en)).toBe(
    'your Insurance Card, Photo ID, Health History, COVID Screening, and Consent forms',
  );
  expect(formsPhrase({ ...maple, language: 'es' }, builtIn.es)).toBe(
    'los formularios Tarjeta del seguro, Historial médico, Consentimiento y otros 2',
  );
});
