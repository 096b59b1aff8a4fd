import { formsDesk, formsSettings, sharing } from '#contract/index.ts';
import {
  arrivalAnswers,
  arrivalForm,
  formSetting,
  openVisitPhone,
  photo,
  requestForms,
} from '#testing/fixtures/forms.ts';
import { hashToken } from '#server/kit/crypto/secret.ts';
import type { TestApp, TestOffice } from './test-app.ts';

/** A form of the office's own, filled with a photo, submitted, listed and shared. */
export async function fillForms(testApp: TestApp, office: TestOffice, mark: string, token: string) {
  const as = { as: office };
  const own = { ...arrivalForm, title: `${mark}-form`, description: `${mark}-form-description` };
  const definitionId = (await requestForms(testApp, office, [own]))['arrival'] ?? '';
  const visibleName = { en: `${mark}-visible`, es: `${mark}-visible-es` };
  await testApp.call(
    formsSettings.saveFormSettings,
    { body: { forms: [formSetting('arrival', { visibleName })] } },
    as,
  );
  const phone = openVisitPhone(testApp, token);
  const memberId = await phone.first();
  const { body: card } = await phone.upload(await photo());
  const answers = {
    ...arrivalAnswers,
    reason: [`${mark}-reason`],
    card: [{ contentType: 'image/jpeg', url: card.url }],
    sign: [{ contentType: 'text/plain', title: `${mark}-signed` }],
  };
  await testApp.inOffice(office, async (tx) => {
    const tokens = tx.selectFrom('visitToken').select('id').where('tokenHash', '=', hashToken(token));
    const { id: tokenId } = await tokens.executeTakeFirstOrThrow();
    const url = `https://notice.example/${mark}`;
    const key = { officeId: office.id, id: testApp.services.id() };
    const shown = { tokenId, memberId, formType: 'consent', url, shownAt: testApp.now() };
    await tx
      .insertInto('shownNotice')
      .values({ ...key, ...shown })
      .execute();
  });
  await phone.save(memberId, { definitionId, answers });
  const { body: submitted } = await phone.submit(memberId, 1);
  const { body: list } = await testApp.call(formsDesk.listFormPaths, { query: { patientName: mark } }, as);
  const wish = { sharedWith: `${mark}-school`, submissionIds: [submitted.submissionId] };
  const { body: shared } = await testApp.call(sharing.makeShare, { params: { token }, body: wish }, { as: null });
  const shareToken = new URL(shared.url).searchParams.get('token') ?? '';
  const file = { token: shareToken, id: submitted.submissionId };
  await testApp.call(sharing.openSharedForm, { query: file }, { as: null });
  const headers = { 'user-agent': `${mark}-browser-of-the-school` };
  await testApp.call(sharing.readSharedForms, { query: { token: shareToken } }, { as: null, headers });
  return {
    memberId,
    definitionId,
    submissionId: submitted.submissionId,
    formKey: list.forms[0]?.objectKey ?? '',
    fileId: card.fileId,
    shareId: shared.share.id,
  };
}
