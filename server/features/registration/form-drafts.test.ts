import { describe, expect, test } from 'vitest';
import * as registration from '#contract/practice/registration.ts';
import {
  me,
  newcomer,
  newForm,
  openRegistrationApp,
  register,
  testApp,
  typedRegistration,
} from '#testing/fixtures/registration.ts';

openRegistrationApp();

describe('a registration draft', () => {
  const save = (formId: string, body: registration.Draft, as: { token: string } = me) =>
    testApp.call(registration.saveDraft, { params: { formId }, body }, { as });
  const open = async (as: { token: string } = me) => (await testApp.call(registration.readDraft, {}, { as })).body;

  test('a draft continues on another device, and only for its own person', async () => {
    expect(await open()).toBeNull();
    const formId = newForm();
    await save(formId, { name: 'Oak' });
    await save(formId, { name: 'Oak Cli', isNewAddress: true, agesTreated: ['Children'], wantsProvisional: false });
    const elsewhere = { token: await testApp.signIn(me.personId) };
    expect(await open(elsewhere)).toMatchObject({
      formId,
      draft: { name: 'Oak Cli', isNewAddress: true, agesTreated: ['Children'], wantsProvisional: false },
    });
    const stranger = await newcomer();
    await save(formId, { name: 'Theirs' }, stranger);
    expect((await open(elsewhere))?.draft.name).toBe('Oak Cli');
    expect((await open(stranger))?.draft.name).toBe('Theirs');
  });

  test('a draft ends when its office is created; a late save from another device does not bring it back', async () => {
    const formId = newForm();
    await save(formId, typedRegistration);
    await register(typedRegistration, { formId });
    expect(await open()).toBeNull();
    await save(formId, { name: 'Late' });
    expect(await open()).toBeNull();
  });

  test('a refused form keeps its draft', async () => {
    const formId = newForm();
    const draft = { ...typedRegistration, zip: '' };
    await save(formId, draft);
    expect((await register(draft, { formId })).status).toBe(400);
    expect((await open())?.draft).toEqual(draft);
  });

  test('the newest draft is shown, and only the newest few stay saved', async () => {
    for (let i = 0; i < 8; i++) {
      testApp.later(1);
      await save(newForm(), { name: `Form ${i}` });
    }
    expect((await open())?.draft.name).toBe('Form 7');
    const kept = await testApp.owner
      .selectFrom('auth.registration')
      .select('formId')
      .where('personId', '=', me.personId)
      .execute();
    expect(kept).toHaveLength(5);
  });
});
