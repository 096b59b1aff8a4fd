import { expect, test } from 'vitest';
import type { FiledAnswer } from '#contract/forms/desk.ts';
import { answerRuns } from './answer-runs.ts';

const answer = (text: string, group = '', kind: FiledAnswer['kind'] = 'question'): FiledAnswer => ({
  kind,
  text,
  group,
  answers: [],
  pictures: [],
  mark: null,
});

test('answers of one kind and group are one list; a new group begins with its name', () => {
  const runs = answerRuns([
    answer('Any?'),
    answer('Please read this.', '', 'text'),
    answer('Name', 'Allergy 1'),
    answer('Reaction', 'Allergy 1'),
    answer('Keep it.', 'Allergy 1', 'text'),
    answer('Name', 'Allergy 2'),
    answer('Anything else?'),
  ]);
  expect(runs.map(({ kind, heading, answers }) => [kind, heading, answers.map(({ text }) => text).join(', ')])).toEqual(
    [
      ['question', '', 'Any?'],
      ['text', '', 'Please read this.'],
      ['question', 'Allergy 1', 'Name, Reaction'],
      ['text', '', 'Keep it.'],
      ['question', 'Allergy 2', 'Name'],
      ['question', '', 'Anything else?'],
    ],
  );
});
