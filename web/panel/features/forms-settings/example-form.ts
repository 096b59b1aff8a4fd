/** A short questionnaire to look at and change: a group, a choice, a date, and both languages. */
const spanish = (text: string) => ({
  extension: [
    {
      url: 'http://hl7.org/fhir/StructureDefinition/translation',
      extension: [
        { url: 'lang', valueCode: 'es' },
        { url: 'content', valueString: text },
      ],
    },
  ],
});

const example = {
  resourceType: 'Questionnaire',
  id: 'new-patient',
  url: 'https://example.org/forms/new-patient',
  title: 'New patient',
  _title: spanish('Paciente nuevo'),
  status: 'active',
  item: [
    {
      linkId: 'about',
      type: 'group',
      text: 'About you',
      _text: spanish('Sobre usted'),
      item: [
        {
          linkId: 'referred-by',
          type: 'choice',
          text: 'How did you find us?',
          _text: spanish('¿Cómo nos encontró?'),
          answerOption: [
            { valueCoding: { code: 'doctor', display: 'My doctor', _display: spanish('Mi médico') } },
            { valueCoding: { code: 'friend', display: 'A friend', _display: spanish('Un amigo') } },
          ],
          required: true,
        },
        {
          linkId: 'last-visit',
          type: 'date',
          text: 'When was your last checkup?',
          _text: spanish('¿Cuándo fue su último chequeo?'),
        },
      ],
    },
  ],
};

export const exampleFormUrl = `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(example, null, 2))}`;
