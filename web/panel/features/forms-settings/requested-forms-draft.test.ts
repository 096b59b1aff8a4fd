import { expect, test } from 'vitest';
import type { FormSetting } from '#contract/forms/settings.ts';
import { addForm, isChanged, moveForm, problemsOf, toDrafts, toSettings } from './requested-forms-draft.ts';

const name = { en: 'Photo ID', es: 'Identificación' };
const asked = (type: string, given: Partial<FormSetting> = {}): FormSetting => ({
  enabled: true,
  type,
  day: null,
  visibleName: name,
  ...given,
});
const known = { id: '', formType: 'photo-id', version: 1, name, own: false };

test('saved forms turned into drafts and back are the same and count as unchanged', () => {
  const saved = [asked('photo-id'), asked('survey', { day: 3, enabled: false }), asked('survey', { day: 0 })];
  expect(toSettings(toDrafts(saved))).toEqual(saved);
  expect(isChanged(toDrafts(saved), saved)).toBe(false);
  expect(isChanged(moveForm(toDrafts(saved), 0, 2), saved)).toBe(true);
});

test('surveys after surgery are not on the list, and do not count as a change', () => {
  const saved = [asked('photo-id'), asked('ambu-survey-day', { day: 1 }), asked('ambu-satisfaction')];
  expect(toDrafts(saved).map(({ type }) => type)).toEqual(['photo-id']);
  expect(isChanged(toDrafts(saved), saved)).toBe(false);
});

test('adding a form that is already requested requests it again on the first free day', () => {
  const twice = addForm(addForm([], known), known);
  expect(addForm(twice, known).map(({ when, day }) => [when, day])).toEqual([
    ['checkin', ''],
    ['day', '1'],
    ['day', '2'],
  ]);
  expect(new Set(addForm(twice, known).map(({ key }) => key)).size).toBe(3);
});

test('moveForm moves a row to its new position, but not beyond the list', () => {
  expect(moveForm(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moveForm(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moveForm(['a', 'b', 'c'], 0, 3)).toEqual(['a', 'b', 'c']);
  expect(moveForm(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
});

test('problemsOf finds invalid days, a form requested twice on one day, and names that are too long', () => {
  const [draft] = toDrafts([asked('survey', { day: 3 })]);
  if (!draft) throw new Error('no draft');
  expect(problemsOf([{ ...draft, day: 'soon' }])).toEqual({ 'survey.0.day': 'day' });
  expect(problemsOf([{ ...draft, day: '366' }])).toEqual({ 'survey.0.day': 'day' });
  expect(problemsOf([draft, { ...draft, key: 'survey.1', day: '03' }])).toEqual({ 'survey.1.day': 'twice' });
  expect(problemsOf([{ ...draft, name: { en: 'x'.repeat(81), es: '' } }])).toEqual({ 'survey.0.en': 'long' });
  expect(problemsOf([draft])).toEqual({});
});
