import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exportAudit, listAudit, listAuditPeople } from '#contract/audit.ts';
import { readQueueSettings, saveQueueSettings, queueSettingsDefault } from '#contract/practice/office.ts';
import { readPatient, searchPatients } from '#contract/directory.ts';
import { messagePatient, moveVisit, readVisit } from '#contract/queue.ts';
import { arrivalAnswers, requestForms, openVisitPhone } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { writeAuditEntries } from '#testing/fixtures/audit-entries.ts';

let testApp: TestApp;
let of: TestOffice;
beforeAll(async () => void (testApp = await openTestApp()));
afterAll(() => testApp.close());
beforeEach(async () => {
  testApp.at('2026-03-02T15:00:00.000Z');
  of = await testApp.office();
});

const read = (query: Record<string, string> = {}, as: TestOffice = of) => testApp.call(listAudit, { query }, { as });

/** `count` entries of the office, a minute apart. */
const entries = (count: number) => writeAuditEntries(testApp, of, count);

describe('the office reads its audit log', () => {
  test('entries show who did what to whom, newest first, with current names', async () => {
    const visit = await testApp.visit({ office: of, firstName: 'Grace', lastName: 'Hopper' });
    await testApp.call(readVisit, { params: { visitId: visit.id } }, { as: of });
    await testApp.call(moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: of });
    const { body } = await read();
    expect(body.entries).toMatchObject([
      {
        action: 'visit.move',
        actor: 'staff',
        actorName: 'Dana Whitlock',
        patientName: 'Grace Hopper',
        details: { move: 'invite', from: 'WAITING', to: 'INVITED' },
        outcome: 'done',
        sealed: false,
      },
      { action: 'visit.read', actorName: 'Dana Whitlock', subject: visit.id },
      { action: 'visit.arrive', actor: 'patient', actorName: null, patientName: 'Grace Hopper' },
    ]);
    expect(body.next).toBeNull();
    expect(body.sealedUntil).toBeNull();
  });

  test('an entry about a form names its patient and is found by the visit', async () => {
    const { arrival: definitionId = '' } = await requestForms(testApp, of);
    const visit = await testApp.visit({ office: of, firstName: 'Grace', lastName: 'Hopper' });
    const phone = openVisitPhone(testApp, visit.token);
    const memberId = await phone.first();
    await phone.save(memberId, { definitionId, answers: arrivalAnswers });
    await phone.submit(memberId, 1);
    const { entries: found } = (await read({ visit: visit.id })).body;
    const named = Object.fromEntries(found.map(({ action, patientName }) => [action, patientName]));
    expect(named).toMatchObject({ 'form.begin': 'Grace Hopper', 'form.submit': 'Grace Hopper' });
    const other = await testApp.visit({ office: of });
    expect((await read({ visit: other.id })).body.entries.map(({ action }) => action)).toEqual(['visit.arrive']);
  });

  test('reading the audit log is audited too', async () => {
    await read();
    expect((await read()).body.entries).toMatchObject([{ action: 'audit.read', actorName: 'Dana Whitlock' }]);
  });

  test('a refusal is in the audit log with its reason', async () => {
    const visit = await testApp.visit({ office: of, moves: ['invite'] });
    await testApp.call(moveVisit, { body: { id: visit.id, action: 'INVITED' } }, { as: of });
    expect((await read({ action: 'visit.move' })).body.entries[0]).toMatchObject({ outcome: 'visit_moved_on' });
  });

  test('pages neither repeat nor lose an entry', async () => {
    await entries(123);
    const seen: string[] = [];
    let before: string | null = null;
    const sizes: number[] = [];
    do {
      const page: Awaited<ReturnType<typeof read>> = await read({ action: 'queue.read', ...(before && { before }) });
      sizes.push(page.body.entries.length);
      seen.push(...page.body.entries.map(({ subject }) => subject ?? ''));
      before = page.body.next;
    } while (before);
    expect(sizes).toEqual([50, 50, 23]);
    expect(seen).toEqual(Array.from({ length: 123 }, (_, i) => String(122 - i)));
  });

  test('entries are filtered by action, kind of action, visit, and days of the office’s time zone', async () => {
    const visit = await testApp.visit({ office: of });
    await testApp.visit({ office: of });
    testApp.at('2026-03-03T04:30:00.000Z');
    await testApp.call(readVisit, { params: { visitId: visit.id } }, { as: of });
    testApp.at('2026-03-03T05:30:00.000Z');
    await testApp.call(saveQueueSettings, { body: { ...queueSettingsDefault, autoInviteWaitTime: 60 } }, { as: of });
    const actions = async (query: Record<string, string>) =>
      (await read(query)).body.entries.map(({ action }) => action).filter((action) => action !== 'audit.read');
    expect(await actions({ action: 'visit.read' })).toEqual(['visit.read']);
    expect(await actions({ action: 'visit' })).toEqual(['visit.read', 'visit.arrive', 'visit.arrive']);
    expect(await actions({ action: 'vis' })).toEqual([]);
    expect(await actions({ visit: visit.id })).toEqual(['visit.read', 'visit.arrive']);
    expect(await actions({ from: '2026-03-03' })).toEqual(['settings.change']);
    expect(await actions({ to: '2026-03-02' })).toEqual(['visit.read', 'visit.arrive', 'visit.arrive']);
    expect(await actions({ from: '2026-03-04', to: '2026-03-02' })).toEqual([]);
  });

  test('entries are filtered by person; former colleagues with entries are offered after colleagues', async () => {
    const visit = await testApp.visit({ office: of });
    const personId = await testApp.addStaff({ name: 'Luis Ortega', email: 'luis@ortega.test' }, [of]);
    const luis = { ...of, personId, token: await testApp.signIn(personId) };
    await testApp.call(readVisit, { params: { visitId: visit.id } }, { as: of });
    await testApp.call(readVisit, { params: { visitId: visit.id } }, { as: luis });
    const byLuis = (await read({ person: luis.personId })).body.entries;
    expect(byLuis.map(({ action, actorName }) => [action, actorName])).toEqual([['visit.read', 'Luis Ortega']]);
    const people = () => testApp.call(listAuditPeople, {}, { as: of }).then(({ body }) => body.people);
    expect(await people()).toEqual([
      { id: of.personId, name: 'Dana Whitlock', isColleague: true },
      { id: luis.personId, name: 'Luis Ortega', isColleague: true },
    ]);
    await testApp.inOffice(of, (tx) =>
      tx.deleteFrom('membership').where('officeId', '=', of.id).where('personId', '=', luis.personId).execute(),
    );
    expect(await people()).toMatchObject([{ isColleague: true }, { name: 'Luis Ortega', isColleague: false }]);
    expect((await read({ person: luis.personId })).body.entries).toHaveLength(1);
  });

  test('entries about a patient cover visits, forms, messages and the patient list', async () => {
    // Not one of the numbers that visits without a number get.
    const phone = '+12125559177';
    const { arrival: definitionId = '' } = await requestForms(testApp, of);
    const visit = await testApp.visit({ office: of, firstName: 'Grace', lastName: 'Hopper', phone });
    await testApp.visit({ office: of, firstName: 'Ada', lastName: 'Lovelace' });
    const form = openVisitPhone(testApp, visit.token);
    const memberId = await form.first();
    await form.save(memberId, { definitionId, answers: arrivalAnswers });
    await form.submit(memberId, 1);
    const { body: found } = await testApp.call(searchPatients, { body: { search: 'Hopper' } }, { as: of });
    const patientId = found.patients[0]?.id ?? '';
    const { body: file } = await testApp.call(readPatient, { params: { patientId } }, { as: of });
    await testApp.call(
      messagePatient,
      { params: { userCode: visit.patientUserCode }, body: { body: 'Soon' } },
      { as: of },
    );
    expect(file.patient.name).toBe('Grace Hopper');
    const { body } = await read({ patient: patientId });
    expect(body.filteredPatient).toBe('Grace Hopper');
    expect(new Set(body.entries.map(({ patientName }) => patientName))).toEqual(new Set(['Grace Hopper']));
    expect(body.entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['message.send', 'patient.read', 'form.submit', 'form.begin', 'visit.arrive']),
    );
    expect((await read({ action: 'audit' })).body.entries[0]).toMatchObject({ subject: patientId });
  });

  test("another office's patient and person find nothing, and their name stays unknown", async () => {
    const theirs = await testApp.visit({ office: testApp.other, firstName: 'CANARY', lastName: 'Bird' });
    const { patientId } = await testApp.inOffice(testApp.other, (tx) =>
      tx.selectFrom('visit').select('patientId').where('id', '=', theirs.id).executeTakeFirstOrThrow(),
    );
    await testApp.call(readVisit, { params: { visitId: theirs.id } }, { as: testApp.other });
    expect((await read({ patient: patientId })).body).toMatchObject({ entries: [], filteredPatient: null });
    expect((await read({ person: testApp.other.personId })).body.entries).toEqual([]);
    const { body } = await testApp.call(exportAudit, { body: { patient: patientId } }, { as: of });
    expect(body).toEqual({ entries: [], next: null });
    const people = await testApp.call(listAuditPeople, {}, { as: of });
    expect(people.body.people.map(({ id }) => id)).toEqual([of.personId]);
  });

  test('an export comes in large pages, each of them audited, and has a limit per hour', async () => {
    await testApp.inOffice(of, (tx) =>
      sql`insert into audit_entry (office_id, at, actor, action) select ${of.id}, ${testApp.now()}, 'timer', 'queue.read' from generate_series(1, 2100) returning 1`.execute(
        tx,
      ),
    );
    const download = (before?: string | null) =>
      testApp.call(exportAudit, { body: { action: 'queue.read', ...(before && { before }) } }, { as: of });
    const first = await download();
    expect([first.body.entries.length, first.body.next]).toEqual([2000, first.body.entries.at(-1)?.id]);
    const last = await download(first.body.next);
    expect([last.body.entries.length, last.body.next]).toEqual([100, null]);
    expect((await read({ action: 'audit' })).body.entries).toMatchObject([
      { action: 'audit.download', actorName: 'Dana Whitlock', details: { entries: 100 } },
      { action: 'audit.download', details: { entries: 2000 } },
    ]);
    const statuses = await Promise.all(Array.from({ length: 40 }, () => download().then(({ status }) => status)));
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  test("an office does not see another office's entries", async () => {
    await testApp.visit({ office: testApp.other, firstName: 'CANARY', lastName: 'Bird' });
    const visit = await testApp.visit({ office: testApp.other });
    expect((await read({ visit: visit.id })).body.entries).toEqual([]);
    expect(JSON.stringify((await read()).body)).not.toContain('CANARY');
    expect((await testApp.call(listAudit, { query: {} }, { as: null })).status).toBe(401);
  });

  test.each(['x', '-1', '99999999999999999999', "1' or '1"])(
    'a page that cannot be (%s) is refused',
    async (before) => {
      expect((await read({ before })).status).toBe(400);
    },
  );
  test.each([{ from: '2026-02-30' }, { to: 'today' }, { visit: '1' }, { action: '%' }])(
    '%o is refused',
    async (query) => {
      expect((await read(query as unknown as Record<string, string>)).status).toBe(400);
    },
  );

  test('reading settings discloses no patient and is not audited', async () => {
    await testApp.call(readQueueSettings, {}, { as: of });
    expect((await read()).body.entries).toEqual([]);
  });
});
