import { expect, test, vi } from 'vitest';
import { checkResponse } from '#questionnaire/expressions/response.ts';
import { prepareSubmission } from './prepare-submission.ts';

vi.mock('#questionnaire/expressions/response.ts', async (original) => {
  const actual = await original<typeof import('#questionnaire/expressions/response.ts')>();
  return { ...actual, checkResponse: vi.fn<typeof actual.checkResponse>(actual.checkResponse) };
});

const draft = () => ({
  questionnaire: {
    resourceType: 'Questionnaire' as const,
    status: 'active' as const,
    item: [{ linkId: 'reason', type: 'string' as const, text: 'Why are you here?', required: true }],
  },
  answers: { reason: ['Cough'] },
  files: new Map(),
  today: '2026-03-02',
  about: { status: 'completed' as const },
});

test('a submission is checked once more as the response that will be stored, and refused for what is wrong there', async () => {
  expect(await prepareSubmission(draft())).toMatchObject({ response: { item: [{ linkId: 'reason' }] } });
  const problem = { path: 'reason', linkId: 'reason', code: 'required' } as const;
  vi.mocked(checkResponse).mockReturnValueOnce([problem]);
  expect(await prepareSubmission(draft())).toEqual({ problems: [problem] });
});
