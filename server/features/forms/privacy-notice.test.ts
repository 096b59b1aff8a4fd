import { beforeAll, describe, expect, test } from 'vitest';
import { formsSettings, privacyNotice } from '#contract/index.ts';
import { noticeAddress } from '#contract/forms/privacy-notice.ts';
import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { loadBuiltInForms } from './definitions.ts';
import { formSetting, openVisitPhone } from '#testing/fixtures/forms.ts';
import { pdfTexts } from '#testing/fixtures/pdf-texts.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await openTestApp();
  await loadBuiltInForms(testApp.services);
  return () => testApp.close();
});

const url = 'https://maple.example/privacy';
const save = (typed: string, as?: TestOffice) =>
  testApp.call(privacyNotice.savePrivacyNotice, { body: { url: typed } }, as && { as });

/** The questions of a new visit's consent, which was opened with its link. */
async function openConsent(office = testApp.maple) {
  const forms = [formSetting('consent')];
  await testApp.call(formsSettings.saveFormSettings, { body: { forms } }, { as: office });
  const visit = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, visit.token);
  const memberId = await phone.first();
  const read = async () => {
    const { body } = await phone.read(memberId, 'consent');
    const groups = (body.questionnaire as Questionnaire).item ?? [];
    return { definitionId: body.definitionId, items: groups.flatMap(({ item = [] }) => item) };
  };
  return { phone, memberId, read, ...(await read()) };
}

const noticeIn = (items: readonly Item[]) => items.find(({ linkId }) => linkId === 'privacy-notice');
/** The sentence about the notice in the consent of a new visit. */
const noticeOf = async (office?: TestOffice) => noticeIn((await openConsent(office)).items);

type OpenConsent = Awaited<ReturnType<typeof openConsent>>;
/** Fills out the consent, submits it and returns what its PDF says of the notice. */
async function submitAndReadPdf({ phone, memberId, definitionId, items }: OpenConsent, amend = false): Promise<string> {
  const agreed = items.flatMap(({ linkId, answerOption }) =>
    answerOption?.[0]?.valueCoding ? [[linkId, [answerOption[0].valueCoding]]] : [],
  );
  const sign = { contentType: 'text/plain', title: 'Ada Byron' };
  const answers = { ...Object.fromEntries(agreed), 'signer-name': ['Ada Byron'], signature: [sign] };
  await phone.save(memberId, { definitionId, answers, ...(amend && { amend }) }, 'consent');
  expect(await phone.submit(memberId, 1, 'consent')).toMatchObject({ status: 200 });
  const pdf = (await testApp.app.inject((await phone.open(memberId, 'consent')).body.url)).rawPayload;
  return (await pdfTexts(pdf)).join(' ').replaceAll(/\s+/g, ' ');
}

describe('the practice’s own notice of privacy practices', () => {
  test('the consent links it once the practice has set its address, and asks for it at the desk otherwise', async () => {
    expect((await noticeOf())?.text).toBe('Ask the front desk for the practice’s notice.');
    expect((await save(' maple.example/privacy ')).body).toEqual({ url });
    const notice = await noticeOf();
    expect(notice?.text).toBe(`Our Notice of Privacy Practices: ${url}`);
    expect(JSON.stringify(notice?._text)).toContain('Nuestro Aviso de prácticas de privacidad:');
    expect(notice?.extension).toContainEqual(expect.objectContaining({ valueUri: url }));
    await save(url);
    await save('');
    const changes = (await testApp.auditEntries()).flatMap(({ action, details }) =>
      action === 'settings.change' && (details as { changed: string }).changed === 'privacyNotice' ? [details] : [],
    );
    expect(changes).toEqual([
      { changed: 'privacyNotice', from: null, to: url },
      { changed: 'privacyNotice', from: url, to: null },
    ]);
    expect((await noticeOf())?.text).toBe('Ask the front desk for the practice’s notice.');
  });

  test('the PDF prints the address that the form showed when it was opened, whatever the practice changes meanwhile', async () => {
    await save(url);
    const opened = await openConsent();
    const later = 'https://maple.example/new-notice';
    await save(later);
    const pdf = await submitAndReadPdf(opened);
    expect(pdf).toContain(url);
    expect(pdf).not.toContain(later);

    const again = { ...opened, ...(await opened.read()) };
    expect(noticeIn(again.items)?.text).toContain(later);
    expect(await submitAndReadPdf(again, true)).toContain(later);

    const withoutAddress = await openConsent(testApp.other);
    await save(url, testApp.other);
    expect(await submitAndReadPdf(withoutAddress)).toContain('Ask the front desk for the practice’s notice.');
    await save('', testApp.other);
    await save('');
  });

  test('another practice’s patients do not see it, and a practice that is not confirmed shows none', async () => {
    await save(url);
    expect((await noticeOf(testApp.other))?.text).toBe('Ask the front desk for the practice’s notice.');
    expect((await testApp.call(privacyNotice.readPrivacyNotice, {}, { as: testApp.other })).body).toEqual({ url: '' });
    await testApp.owner
      .updateTable('office')
      .set({ confirmedAt: null, confirmedBy: null })
      .where('id', '=', testApp.maple.id)
      .execute();
    expect((await noticeOf())?.text).toBe('Ask the front desk for the practice’s notice.');
    await testApp.owner
      .updateTable('office')
      .set({ confirmedAt: testApp.now(), confirmedBy: 'operator' })
      .where('id', '=', testApp.maple.id)
      .execute();
  });

  test.each([
    'http://maple.example/privacy',
    'javascript:alert(1)',
    'https://localhost/x',
    'https://10.0.0.1/x',
    'https://a:b@maple.example',
    'not an address',
  ])('the address %s is refused', async (typed) => {
    expect(noticeAddress(typed)).toBeNull();
    expect((await save(typed)).body).toMatchObject({ code: 'not_https_address' });
  });
});
