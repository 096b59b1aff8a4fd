import { expect, test } from 'vitest';
import { withPhotoQuestion } from './photo-question.ts';

const linkIdsOf = (items: ReturnType<typeof withPhotoQuestion>['item'] = []): string[] =>
  items.flatMap(({ linkId, item }) => [linkId, ...linkIdsOf(item)]);

test('a questionnaire asks for a photo of the wound once, also if it has that question itself', () => {
  const empty = withPhotoQuestion({ resourceType: 'Questionnaire', item: [] });
  expect(linkIdsOf(empty.item)).toEqual(['wound-photo-group', 'wound-photo']);
  expect(linkIdsOf(withPhotoQuestion(empty).item)).toEqual(['wound-photo-group', 'wound-photo']);
});
