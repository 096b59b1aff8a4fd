import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkQuestionnaire } from '#questionnaire/loading/check-questionnaire.ts';

const folder = new URL('../../db/seed/forms/', import.meta.url);

test.each(readdirSync(folder))('the built-in questionnaire %s has nothing to find, in both languages', (file) => {
  expect(checkQuestionnaire(readFileSync(new URL(file, folder), 'utf8')).findings).toEqual([]);
});
