import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queue } from '#contract/index.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await openTestApp()));
afterAll(() => testApp.close());

const invite = (id: string, more: object = {}) =>
  testApp.call(queue.moveVisit, { body: { id, action: 'INVITED', ...more } });
const textsOf = async (visitId: string) => (await testApp.texts()).filter((text) => text.visitId === visitId);
const auditEntriesOf = async (visitId: string) =>
  (await testApp.auditEntries()).filter((entry) => entry.subject === visitId);

describe('inviting a patient', () => {
  test('invite updates the card, names who did it, and texts the patient one link to the visit', async () => {
    const visit = await testApp.visit({ phone: '+16465550111' });
    const invited = await invite(visit.id, { version: visit.version });

    expect(invited.status).toBe(200);
    expect(invited.body).toMatchObject({
      statusCode: 'INVITED',
      version: visit.version + 1,
      invitedAt: testApp.now().toISOString(),
      actedBy: { kind: 'staff', name: testApp.maple.staffName },
      lastMessageState: 'queued',
    });
    const texts = await textsOf(visit.id);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatchObject({ toPhone: '+16465550111', kind: 'invite', state: 'queued' });
    expect(texts[0]?.sent).toMatch(
      /^Maple Street Pediatrics: we are ready for you\. Please come in now\. http:\/\/localhost:3000\/visit\/[\w-]{32}$/,
    );
    expect(texts[0]?.body).not.toContain('Ada');
  });

  test("invite texts in the patient's language", async () => {
    const visit = await testApp.visit({ language: 'es' });
    await invite(visit.id);
    expect((await textsOf(visit.id))[0]?.sent).toMatch(/: ya puede pasar\. Entre ahora, por favor\. http/);
  });

  test('a double click on invite gives one success and one 409 with the visit and who acted, and one text', async () => {
    const visit = await testApp.visit();
    const answers = await Promise.all([invite(visit.id), invite(visit.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      code: 'visit_moved_on',
      type: 'urn:anteroom:problem:visit_moved_on',
      current: { id: visit.id, statusCode: 'INVITED', version: 2, actedBy: { kind: 'staff', name: 'Dana Whitlock' } },
    });
    expect(await textsOf(visit.id)).toHaveLength(1);
  });

  test('invite from a stale screen is refused even if the move would be allowed', async () => {
    const visit = await testApp.visit();
    await testApp.call(queue.messagePatient, { params: { userCode: visit.patientUserCode }, body: { body: 'Hello' } });
    expect((await invite(visit.id, { version: visit.version + 7 })).status).toBe(409);
    expect((await invite(visit.id, { version: visit.version })).status).toBe(200);
  });

  test('invite answers alike for an unknown visit, another office’s visit and a malformed id', async () => {
    const foreign = await testApp.visit({ office: testApp.other });
    const unknown = await invite('019f0000-0000-7000-8000-000000000000');
    const answer = await invite(foreign.id);
    expect(unknown.status).toBe(404);
    expect(answer).toMatchObject({ status: unknown.status, body: unknown.body });
    expect(answer.body).toEqual(unknown.body);
    expect((await invite('1')).status).toBe(400);
    expect(await testApp.texts(testApp.other)).toEqual([]);
  });

  test('invite writes one audit entry for the success and one for each refusal', async () => {
    const visit = await testApp.visit();
    await invite(visit.id);
    await invite(visit.id);
    const moved = (await auditEntriesOf(visit.id)).filter(({ action }) => action === 'visit.move');
    expect(moved.map(({ outcome, actor, actorId }) => ({ outcome, actor, actorId }))).toEqual([
      { outcome: 'done', actor: 'staff', actorId: testApp.maple.personId },
      { outcome: 'visit_moved_on', actor: 'staff', actorId: testApp.maple.personId },
    ]);
    expect(moved[0]?.details).toEqual({ move: 'invite', from: 'WAITING', to: 'INVITED', version: 2 });
  });

  test('inviting an opted-out number moves the visit, and the screen shows that no text was sent', async () => {
    const visit = await testApp.visit();
    await testApp.inOffice(testApp.maple, (tx) =>
      tx
        .insertInto('optOut')
        .values({ officeId: testApp.maple.id, id: testApp.services.id(), phone: visit.username, at: testApp.now() })
        .execute(),
    );
    const invited = await invite(visit.id);
    const [text] = await textsOf(visit.id);
    expect(invited.body).toMatchObject({
      statusCode: 'INVITED',
      lastMessageState: 'failed',
      lastTextId: text?.id,
      lastTextProblem: 'opted-out',
    });
    expect(text).toMatchObject({ state: 'failed', errorClass: 'opted-out' });
  });
});

describe('texting again', () => {
  test('reinvite texts again in INVITED and in REINVITED', async () => {
    const visit = await testApp.visit({ moves: ['invite'] });
    const again = () => testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'REINVITED' } });
    expect((await again()).body.statusCode).toBe('REINVITED');
    testApp.later(3);
    expect((await again()).body).toMatchObject({ statusCode: 'REINVITED', version: 4 });
    expect((await textsOf(visit.id)).map(({ kind }) => kind)).toEqual(['invite', 'reinvite', 'reinvite']);
    expect((await textsOf(visit.id))[2]?.body).toContain('we are still waiting for you. Please come in now.');
  });

  test('reinviting a patient on the way keeps their status and its time', async () => {
    const visit = await testApp.visit({ moves: ['invite', 'onMyWay'] });
    testApp.later(5);
    const reminded = await testApp.call(queue.moveVisit, { body: { id: visit.id, action: 'REINVITED' } });
    expect(reminded.body).toMatchObject({
      statusCode: 'GOING',
      statusAt: visit.statusAt,
      invitedAt: testApp.now().toISOString(),
      version: visit.version + 1,
    });
    expect(await textsOf(visit.id)).toHaveLength(2);
  });

  test('reinvite is refused for a patient who is waiting or has left, and sends no text', async () => {
    const waiting = await testApp.visit();
    const gone = await testApp.visit({ moves: ['cancel'] });
    for (const { id } of [waiting, gone]) {
      expect((await testApp.call(queue.moveVisit, { body: { id, action: 'REINVITED' } })).status).toBe(409);
      expect(await textsOf(id)).toEqual([]);
    }
  });
});
