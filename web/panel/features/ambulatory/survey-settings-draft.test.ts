import { expect, test } from 'vitest';
import { ambuSettingsDefault } from '#contract/ambulatory/surveys.ts';
import { isChanged, problemsOf, toDraft, toSettings } from './survey-settings-draft.ts';

test('settings that nobody touched are unchanged', () => {
  const saved = { ...ambuSettingsDefault, phone: '+16025550123' };
  expect(toSettings(toDraft(saved))).toEqual(saved);
  expect(isChanged(toDraft(saved), saved)).toBe(false);
});

test('watched words are split at commas and lines, and each is kept once', () => {
  const draft = { ...toDraft(ambuSettingsDefault), watchedWords: ' fever, chills\nfever,, ' };
  expect(toSettings(draft).watchedWords).toEqual(['fever', 'chills']);
});

test('an incomplete number and a word of one letter cannot be saved', () => {
  const draft = { ...toDraft(ambuSettingsDefault), phone: '602555', watchedWords: 'x' };
  expect(problemsOf(draft)).toEqual({ phone: true, watchedWords: true });
  expect(isChanged(draft, ambuSettingsDefault)).toBe(true);
});
