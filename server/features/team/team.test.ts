import { describe, expect, test } from 'vitest';
import { session as sessions, signIn, team } from '#contract/index.ts';
import type { TestOffice } from '#testing/app/test-app.ts';
import { desk, invite, join, newAddress, openTeamApp, sentTo, signsIn, t, teamOf } from '#testing/fixtures/team.ts';

openTeamApp();

describe('proof of identity for team changes', () => {
  test('after 11 minutes inviting, resending and removing require a new proof of identity', async () => {
    const email = newAddress();
    const { body } = await invite({ email });
    const personId = await t.addStaff({ name: 'Luis Herrera', email: newAddress() }, [desk]);
    t.later(11);
    const tries = () =>
      Promise.all([
        invite({ email: newAddress() }),
        t.call(team.resendInvitation, { params: { invitationId: body.id } }, { as: desk }),
        t.call(team.removeColleague, { params: { personId } }, { as: desk }),
      ]);
    expect((await tries()).map((answer) => [answer.status, answer.body.code])).toEqual(
      Array(3).fill([403, 'proof_needed']),
    );
    expect((await teamOf()).invitations).toHaveLength(1);
    expect((await teamOf()).colleagues).toHaveLength(2);
    expect(await sentTo(email)).toHaveLength(1);
    await t.prove(desk.personId);
    expect((await tries()).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('revoking an invitation requires no proof: it only removes access', async () => {
    const { body } = await invite({ email: newAddress() });
    t.later(11);
    const params = { invitationId: body.id };
    expect((await t.call(team.revokeInvitation, { params }, { as: desk })).status).toBe(200);
  });
});

describe('what a team sees of its members', () => {
  test('a team sees the identity it invited and nothing else about the person: no name, no other identity, no sign-in', async () => {
    const home = await t.office({ name: 'Harbor' });
    const first = newAddress();
    const personId = await t.addStaff({ name: 'Ruth Cole', email: first, phone: '+12025550171' }, [home]);
    const invited = newAddress();
    await t.owner
      .insertInto('auth.identity')
      .values({ id: t.services.id(), personId, kind: 'email', value: invited, verifiedAt: t.now() })
      .execute();
    await invite({ email: invited });
    const signed = await signsIn({ email: invited });
    await join(signed);
    const ruth = async () => (await teamOf()).colleagues.find(({ id }) => id === personId);
    const shown = { id: personId, email: invited, phone: null, since: t.now().toISOString(), isYou: false };
    expect(await ruth()).toEqual(shown);

    // Their first office is where they signed in, locked and signed out: this one learns nothing of it.
    const ofRuth = async (office: TestOffice) =>
      (await t.auditEntries(office)).filter(({ actorId }) => actorId === personId).map(({ action }) => action);
    await t.call(sessions.lockSession, {}, { as: signed });
    await t.call(sessions.signOut, {}, { as: signed });
    expect(await ofRuth(desk)).toEqual(['staff.join']);
    expect(await ofRuth(home)).toEqual(['session.start', 'session.lock', 'session.end']);
    expect(await ruth()).toEqual(shown);

    // Signing in for this office is this office's.
    t.later(1);
    await t.call(signIn.requestCode, { body: { email: first } }, { as: null });
    const code = /\b\d{6}\b/.exec((await sentTo(first))[0]?.body ?? '')?.[0] ?? '';
    const headers = { 'x-office': desk.id };
    await t.call(signIn.verifyCode, { body: { email: first, code, bearer: true } }, { as: null, headers });
    expect(await ofRuth(desk)).toEqual(['staff.join', 'session.start']);
    expect(await ofRuth(home)).toHaveLength(3);
    expect(await ruth()).toEqual(shown);
  });

  test('inviting a colleague’s other number does not reveal that it is theirs', async () => {
    await t.addStaff({ name: 'Luis', email: newAddress() }, [desk]);
    const personId = (await teamOf()).colleagues[1]?.id ?? '';
    const phone = '+12025550172';
    await t.owner
      .insertInto('auth.identity')
      .values({ id: t.services.id(), personId, kind: 'phone', value: phone, verifiedAt: t.now() })
      .execute();
    expect((await invite({ phone })).status).toBe(200);
    // Once they join with it as well, the office has it from them.
    const { session } = await join(await signsIn({ phone }));
    expect(session.offices).toHaveLength(1);
    expect((await teamOf()).colleagues[1]).toMatchObject({ id: personId, phone });
  });
});
