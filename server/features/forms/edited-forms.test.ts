import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formsSettings } from '#contract/index.ts';
import { arrivalForm } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let testApp: TestApp;
let office: TestOffice;
beforeAll(async () => {
  testApp = await openTestApp();
});
afterAll(() => testApp.close());
beforeEach(async () => {
  office = await testApp.office();
});

const save = (title: string, editedFrom: number, as = office) => {
  const text = JSON.stringify({ ...arrivalForm, id: 'edited', title });
  return testApp.call(formsSettings.loadForm, { body: { text, formType: 'edited', editedFrom } }, { as });
};
const changed = { status: 409, body: { code: 'form_edited_meanwhile' } };

test('an edited form becomes the next version', async () => {
  expect(await save('First', 0)).toMatchObject({ status: 200, body: { form: { version: 1 } } });
  expect(await save('Second', 1)).toMatchObject({ status: 200, body: { form: { version: 2 } } });
});

test('a form edited from a version that is no longer in use is refused', async () => {
  await save('First', 0);
  await save('Second', 1);
  expect(await save('Mine', 1)).toMatchObject(changed);
  expect(await save('Mine', 0)).toMatchObject(changed);
});

test('saving the same edit again after a lost reply succeeds', async () => {
  await save('First', 0);
  await save('Second', 1);
  expect(await save('Second', 1)).toMatchObject({ status: 200, body: { form: { version: 2 } } });
});

test('when two edits are saved at once, one is refused', async () => {
  await save('First', 0);
  const replies = await Promise.all([save('Mine', 1), save('Yours', 1)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("another office's form of the same name is no conflict, and is not changed", async () => {
  await save('First', 0);
  const theirs = await testApp.office();
  expect(await save('Theirs', 0, theirs)).toMatchObject({ status: 200, body: { form: { version: 1 } } });
  expect(await save('Second', 1)).toMatchObject({ status: 200, body: { form: { version: 2 } } });
});
