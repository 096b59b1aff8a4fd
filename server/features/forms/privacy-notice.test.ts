import { beforeAll, describe, expect, test } from 'vitest';
import { formsSettings, privacyNotice } from '#contract/index.ts';
import { noticeAddress } from '#contract/forms/privacy-notice.ts';
import type { Item, Questionnaire } from '#questionnaire/questionnaire.ts';
import { loadBuiltInForms } from './definitions.ts';
import { formSetting, openVisitPhone } from '#testing/fixtures/forms.ts';
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

/** The sentence about the notice in the consent of a new visit. */
async function noticeOf(office = testApp.maple): Promise<Item | undefined> {
  const forms = [formSetting('consent')];
  await testApp.call(formsSettings.saveFormSettings, { body: { forms } }, { as: office });
  const visit = await testApp.visit({ office });
  const phone = openVisitPhone(testApp, visit.token);
  const { body } = await phone.read(await phone.first(), 'consent');
  const groups = (body.questionnaire as Questionnaire).item ?? [];
  return groups.flatMap(({ item = [] }) => item).find(({ linkId }) => linkId === 'privacy-notice');
}

describe('the practice’s own notice of privacy practices', () => {
  test('the consent links it once the practice has set its address, and asks for it at the desk otherwise', async () => {
    expect((await noticeOf())?.text).toBe('Ask the front desk for the practice’s notice.');
    expect((await save(' maple.example/privacy ')).body).toEqual({ url });
    const notice = await noticeOf();
    expect(notice?.text).toBe(`Our Notice of Privacy Practices: ${url}`);
    expect(JSON.stringify(notice?._text)).toContain('Nuestro Aviso de prácticas de privacidad:');
    expect(notice?.extension).toContainEqual(expect.objectContaining({ valueUri: url }));
    const changes = (await testApp.auditEntries()).map(
      ({ details }) => (details as { changed?: string } | null)?.changed,
    );
    expect(changes.filter((changed) => changed === 'privacyNotice')).toHaveLength(1);
    await save('');
    expect((await noticeOf())?.text).toBe('Ask the front desk for the practice’s notice.');
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
