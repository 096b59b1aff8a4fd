import { expect, test } from 'vitest';
import { joinNotes } from './join-notes.ts';

test('notes of two desks keep every line of both', () => {
  expect(joinNotes('Allergic to latex.\nCalled Monday.', 'Allergic to latex.\nWound is dry.')).toBe(
    'Allergic to latex.\nCalled Monday.\nWound is dry.',
  );
});

test('notes that contain the other text already are not doubled', () => {
  expect(joinNotes('Called.', 'Called.\nWound is dry.')).toBe('Called.\nWound is dry.');
  expect(joinNotes('Called.\nWound is dry.', 'Called.')).toBe('Called.\nWound is dry.');
  expect(joinNotes('', 'Called.')).toBe('Called.');
});

test('a short note that is only a part of a longer line is kept', () => {
  expect(joinNotes('Not allergic.', 'No')).toBe('Not allergic.\nNo');
  expect(joinNotes('No', 'Not allergic.')).toBe('No\nNot allergic.');
});
