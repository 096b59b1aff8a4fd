import { expect, test } from 'vitest';
import { fillSnippet } from './fill-snippet.ts';

const values = { name: 'Ada', office: 'Maple $& Street', link: 'https://a.test/c/1', reply: '' };

test('a snippet gets the name, the practice and the link', () => {
  expect(fillSnippet('Hi {name}, {office}: {link} {link}', values)).toBe(
    'Hi Ada, Maple $& Street: https://a.test/c/1 https://a.test/c/1',
  );
});

test('a variable without a value leaves no gap', () => {
  expect(fillSnippet('Hi {name}, welcome.', { ...values, name: '' })).toBe('Hi, welcome.');
  expect(fillSnippet('We answer within {reply}.', values)).toBe('We answer within.');
});

test('unknown words in braces stay as they are', () => expect(fillSnippet('{door}', values)).toBe('{door}'));
