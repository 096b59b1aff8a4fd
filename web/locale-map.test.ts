import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A bare language is another country's format: `es` writes 1234 and 24 hours, as Spain does. */
const ofLanguage = /(DateTimeFormat|NumberFormat|ListFormat|toLocale\w*String)\(\s*(\w+\.)?(language\b|'es')/;

test('dates, numbers and lists are formatted by the locale of a language, never by the language itself', () => {
  const sources = globSync('{web,server,contract,questionnaire}/**/*.{ts,tsx}').filter(
    (path) => !path.includes('.test.'),
  );
  expect(sources.length).toBeGreaterThan(1_000);
  expect(sources.filter((path) => ofLanguage.test(readFileSync(path, 'utf8')))).toEqual([]);
});

test('the check finds a formatter that takes a language', () => {
  expect(ofLanguage.test('new Intl.DateTimeFormat(ctx.language, {})')).toBe(true);
  expect(ofLanguage.test('new Intl.DateTimeFormat(locales[ctx.language], {})')).toBe(false);
});
