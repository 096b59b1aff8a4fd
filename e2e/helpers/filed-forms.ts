import { expect, type Page } from '@playwright/test';

/** Submits a form of the visit's first member through the phone's endpoints. */
export async function submitForm(page: Page, token: string, formType: string, answers: object): Promise<void> {
  const headers = { origin: new URL(page.url()).origin };
  const listed = await page.request.get(`/api/visit/${token}/forms`);
  const { members } = (await listed.json()) as {
    members: { memberId: string; forms: { formType: string; definitionId: string }[] }[];
  };
  const definitionId = members[0]?.forms.find((form) => form.formType === formType)?.definitionId;
  const at = `/api/visit/${token}/forms/${members[0]?.memberId}/${formType}`;
  await page.request.put(at, { headers, data: { definitionId, version: 0, page: 0, answers } });
  // On a busy machine the first PDF may take longer than a form may. Submitting twice is one submission.
  await expect(async () => {
    const filed = await page.request.post(`${at}/submit`, { headers, data: { version: 1 } });
    expect(filed.ok(), await filed.text()).toBe(true);
  }).toPass();
}

const chosen = (code: string) => [{ code }];
export const consentAnswers = {
  'treatment-agree': chosen('agree'),
  'payment-agree': chosen('agree'),
  'privacy-agree': chosen('agree'),
  messages: chosen('yes'),
  signer: chosen('patient'),
  'signer-name': ['Ada Byron'],
  signature: [{ contentType: 'text/plain', title: 'Ada Byron' }],
};
