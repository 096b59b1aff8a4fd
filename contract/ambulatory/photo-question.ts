import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';

/** The answer with the photos of the wound. */
const photoLinkId = 'wound-photo';

const inSpanish = (content: string) => ({
  extension: [
    {
      url: 'http://hl7.org/fhir/StructureDefinition/translation',
      extension: [
        { url: 'lang', valueCode: 'es' },
        { url: 'content', valueString: content },
      ],
    },
  ],
});

/** Asked if the survey plan wants a photo. The patient may leave it out: a required photo would keep a patient in pain from submitting. */
const photoQuestion: Item = {
  linkId: 'wound-photo-group',
  type: 'group',
  text: 'A photo of the wound',
  _text: inSpanish('Una foto de la herida'),
  item: [
    {
      linkId: photoLinkId,
      type: 'attachment',
      repeats: true,
      text: 'Please take a photo of the wound in good light.',
      _text: inSpanish('Tome una foto de la herida con buena luz.'),
    },
  ],
};

/** The questionnaire with a question for a photo of the wound, unless it asks for one itself. */
export function withPhotoQuestion(questionnaire: Questionnaire): Questionnaire {
  if (asksForPhoto(questionnaire.item)) return questionnaire;
  return { ...questionnaire, item: [...(questionnaire.item ?? []), photoQuestion] };
}

const asksForPhoto = (items: readonly Item[] = []): boolean =>
  items.some(({ linkId, item }) => linkId === photoLinkId || asksForPhoto(item));
