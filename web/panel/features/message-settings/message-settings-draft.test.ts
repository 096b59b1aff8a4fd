import { expect, test } from 'vitest';
import { messageSettingsDefault } from '#contract/practice/message-settings.ts';
import { isChanged, problemsOf, toDraft, toSettings, withSnippetBack } from './message-settings-draft.ts';

const snippet = { id: '1', name: 'Parking', text: { en: 'Park in lot B.', es: '' } };
const saved = { ...messageSettingsDefault, defaultText: 'Hello', snippets: [snippet] };
const draft = toDraft(saved);

test('saved message settings turned into a draft and back are the same and count as unchanged', () => {
  expect(toSettings(draft)).toEqual(saved);
  expect(isChanged(draft, saved)).toBe(false);
  expect(isChanged({ ...draft, defaultText: 'Hello ' }, saved)).toBe(false);
  expect(isChanged({ ...draft, leadMinutes: '30' }, saved)).toBe(true);
  expect(isChanged({ ...draft, answersWhenClosed: false }, saved)).toBe(true);
});

test('an empty reply time means none', () => {
  expect(toSettings({ ...draft, replyMinutes: '' }).expectedReplyMinutes).toBeNull();
  expect(toSettings({ ...draft, replyMinutes: '15' }).expectedReplyMinutes).toBe(15);
});

test('a snippet that is put back leaves what was typed in the others in the meantime', () => {
  const hours = { ...snippet, id: '2', name: 'Hours' };
  const typedSince = [{ ...hours, name: 'Opening hours' }];
  expect(withSnippetBack(typedSince, snippet, 0)).toEqual([snippet, { ...hours, name: 'Opening hours' }]);
  expect(withSnippetBack([snippet], snippet, 0)).toEqual([snippet]);
});

test.each([
  [{ until: draft.from }, { until: 'same' }],
  [{ from: '' }, { from: 'time' }],
  [{ leadMinutes: '1' }, { leadMinutes: 'lead' }],
  [{ leadMinutes: 'an hour' }, { leadMinutes: 'lead' }],
  [{ replyMinutes: '0' }, { replyMinutes: 'reply' }],
  [{ defaultText: 'x'.repeat(1_401) }, { defaultText: 'long' }],
  [{ snippets: [{ ...snippet, name: ' ' }] }, { 'snippets.0.name': 'name' }],
  [{ snippets: [{ ...snippet, text: { en: '', es: ' ' } }] }, { 'snippets.0.en': 'words' }],
])('the draft %j has the problems %j', (change, problems) =>
  expect(problemsOf({ ...draft, ...change })).toEqual(problems),
);
