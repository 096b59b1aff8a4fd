import { afterAll, expect, test } from 'vitest';
import { panels, session } from '#contract/index.ts';
import type { PanelChoices } from '#contract/practice/panels.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';

const t = await openTestApp();
afterAll(() => t.close());

const queue: PanelChoices = { panel: 'queue', oldFormsScreen: false, chatEnabled: false };
const save = (of: TestOffice, change: Partial<PanelChoices>) =>
  t.call(panels.savePanels, { body: { ...queue, ...change } }, { as: of });
const read = async (of: TestOffice) => (await t.call(panels.readPanels, {}, { as: of })).body;
const sessionOf = async (of: TestOffice) => (await t.call(session.readSession, {}, { as: of })).body;
const settingsOf = (of: TestOffice) =>
  t.inOffice(of, async (tx) => {
    const office = await tx.selectFrom('office').select('settings').where('id', '=', of.id).executeTakeFirstOrThrow();
    return office.settings;
  });

test('a new practice works with the queue, and a switch changes the panel of everybody in it', async () => {
  const of = await t.office();
  expect(await read(of)).toEqual({
    ...queue,
    ambulatory: false,
    checkInTab: true,
    ownPanel: false,
    ownFormsScreen: false,
  });
  const { status, body } = await save(of, { panel: 'sms', oldFormsScreen: true, chatEnabled: true });
  expect([status, body]).toMatchObject([200, { panel: 'sms', oldFormsScreen: true, chatEnabled: true }]);
  const { gate, flags, office } = await sessionOf(of);
  expect([gate.because, flags.useOldFormsScreen, office?.chatEnabled]).toEqual(['sms-mode', true, true]);
  expect((await t.auditEntries(of)).filter(({ action }) => action === 'settings.change')).toMatchObject([
    {
      actorId: of.personId,
      subject: 'panels',
      details: { changed: 'panel oldFormsScreen chatEnabled', panel: 'sms', oldFormsScreen: true, chatEnabled: true },
    },
  ]);
  await save(of, {});
  expect((await sessionOf(of)).gate.because).toBe('ready');
  expect(await settingsOf(of)).toEqual({ useOldFormsScreen: false, chatEnabled: false });
  expect(await sessionOf(t.other)).toMatchObject({ gate: { because: 'ready' }, office: { chatEnabled: false } });
});

test('a save that changes nothing is no entry in the audit log', async () => {
  const of = await t.office();
  expect((await save(of, {})).status).toBe(200);
  expect((await t.auditEntries(of)).map(({ action }) => action)).toEqual([]);
});

test('a value under the features of an office does not hide the switch', async () => {
  const of = await t.office({ settings: { features: { adminPanelType: 'sms', useOldFormsScreen: true, other: 1 } } });
  expect(await read(of)).toMatchObject({ panel: 'sms', oldFormsScreen: true });
  expect((await save(of, {})).body).toMatchObject({ panel: 'queue', oldFormsScreen: false });
  expect(await settingsOf(of)).toEqual({ features: { other: 1 }, useOldFormsScreen: false });
});

test('switching needs a recent proof of identity; reading does not', async () => {
  const of = await t.office();
  t.later(11);
  expect((await save(of, { panel: 'sms' })).body.code).toBe('proof_needed');
  expect((await read(of)).panel).toBe('queue');
  await t.prove(of.personId);
  expect((await save(of, { panel: 'sms' })).status).toBe(200);
});

test('an ambulatory practice cannot leave its panel, and switches the rest', async () => {
  const providers = [{ name: 'ambu', adminNavBar: true, enabled: true }];
  const of = await t.office({ settings: { providers } });
  expect(await read(of)).toMatchObject({ ambulatory: true });
  expect((await save(of, { panel: 'sms' })).body.code).toBe('panel_fixed');
  expect((await save(of, { oldFormsScreen: true })).body).toMatchObject({ ambulatory: true, oldFormsScreen: true });
  expect((await settingsOf(of)).providers).toEqual(providers);
});

test('a practice that is not confirmed yet cannot turn its chat on', async () => {
  const of = await t.office({ confirmedBy: null });
  expect((await save(of, { chatEnabled: true })).body.code).toBe('limited_chat');
  expect((await read(of)).chatEnabled).toBe(false);
});

test('a forms screen that the operator set for a person is named, because the switch does not change it for them', async () => {
  const of = await t.office();
  const settings = JSON.stringify({ useOldFormsScreen: true });
  await t.owner.updateTable('auth.person').set({ settings }).where('id', '=', of.personId).execute();
  expect(await read(of)).toMatchObject({ oldFormsScreen: false, ownFormsScreen: true });
});

test('a panel that was set for a person or their colleague is named, because the switch does not change it for them', async () => {
  const of = await t.office();
  const keep = (id: string, settings: object) =>
    t.owner
      .updateTable('auth.person')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', id)
      .execute();
  await keep(of.personId, { adminPanelType: 'sms' });
  expect(await read(of)).toMatchObject({ panel: 'queue', ownPanel: true });
  const doctor = await t.addStaff({ name: 'Dr. Stone', email: 'stone@panels.test' }, [of]);
  await keep(doctor, { adminPanelType: 'sms' });
  await keep(of.personId, { visibleDoctor: doctor });
  expect(await read(of)).toMatchObject({ panel: 'queue', ownPanel: true });
  expect((await save(of, { panel: 'sms' })).body).toMatchObject({ panel: 'sms', ownPanel: false });
});
