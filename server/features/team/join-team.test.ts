import { describe, expect, test } from 'vitest';
import { queue, session as sessions, signIn, team } from '#contract/index.ts';
import { actionsOf, desk, invite, join, newAddress, openTeamApp, signsIn, t, teamOf } from '#testing/fixtures/team.ts';

openTeamApp();

describe('joining a team', () => {
  test('signing in does not join: an invited person must press the button', async () => {
    const elsewhere = await t.office({ name: 'Harbor' });
    const email = `staff-${elsewhere.npi}@maple.test`;
    await invite({ email, name: 'Not Their Name' });
    const signed = await signsIn({ email });
    expect(signed.session).toMatchObject({ offices: [{ id: elsewhere.id }], office: { id: elsewhere.id } });
    expect(signed.session.invitations).toMatchObject([
      {
        officeId: desk.id,
        npi: desk.npi,
        officeName: 'Maple Street Pediatrics',
        invitedBy: 'Dana Whitlock',
        email,
        phone: null,
      },
    ]);
    expect((await teamOf()).colleagues).toHaveLength(1);
    expect((await t.auditEntries(desk)).filter(({ actorId }) => actorId === elsewhere.personId)).toEqual([]);

    const { session } = await join(signed);
    expect(session.offices.map(({ id }) => id)).toEqual([elsewhere.id, desk.id]);
    expect(session.office?.id).toBe(elsewhere.id);
    expect(session.person?.name).toBe('Dana Whitlock');
    expect(session.invitations).toEqual([]);
  });

  test('a newcomer has no office until they press the button; then they get the invited name and the office', async () => {
    const email = newAddress();
    await invite({ email, name: 'Sam Reyes' });
    const signed = await signsIn({ email });
    expect(signed.session.gate.because).toBe('no-office');
    expect((await t.call(queue.listQueue, { query: {} }, { as: signed })).status).toBe(403);
    const { body, session } = await join(signed);
    expect(body).toEqual({ officeId: desk.id });
    expect(session.office?.id).toBe(desk.id);
    expect(session.person?.name).toBe('Sam Reyes');
    expect((await t.call(queue.listQueue, { query: {} }, { as: signed })).status).toBe(200);
    const { colleagues, invitations } = await teamOf();
    expect(colleagues).toMatchObject([{ isYou: true }, { email, phone: null, isYou: false }]);
    expect(invitations).toEqual([]);
    expect(await actionsOf(desk)).toContain('staff.join done');
  });

  test('joining by a texted invitation works the same', async () => {
    const phone = '+12025550144';
    await invite({ phone });
    const { session } = await join(await signsIn({ phone }));
    expect(session.office?.id).toBe(desk.id);
    expect((await teamOf()).colleagues[1]).toMatchObject({ phone, email: null });
  });

  test('declining ends the invitation and reveals nothing else to the office', async () => {
    const email = newAddress();
    await invite({ email });
    const { token, session } = await signsIn({ email });
    const params = { invitationId: session.invitations[0]?.id ?? '' };
    const as = { token };
    expect((await t.call(team.declineInvitation, { params }, { as })).body).toEqual({ declined: true });
    expect((await t.call(sessions.readSession, {}, { as })).body.invitations).toEqual([]);
    expect((await t.call(team.joinOffice, { params }, { as })).body.code).toBe('invitation_over');
    expect(await teamOf()).toMatchObject({ colleagues: [{ isYou: true }], invitations: [] });
    const declined = (await t.auditEntries(desk)).filter(({ action }) => action === 'staff.decline');
    expect(declined).toMatchObject([{ actor: 'house', actorId: null, subject: params.invitationId }]);
  });

  const presses = {
    join: (invitationId: string, as: { token: string }) =>
      t.call(team.joinOffice, { params: { invitationId } }, { as }),
    decline: (invitationId: string, as: { token: string }) =>
      t.call(team.declineInvitation, { params: { invitationId } }, { as }),
  };

  test.each(['join', 'decline'] as const)(
    'joining at the same moment as pressing %s is one of the two',
    async (rival) => {
      const email = newAddress();
      await invite({ email });
      const { token, session } = await signsIn({ email });
      const id = session.invitations[0]?.id ?? '';
      const [joined, other] = await Promise.all([presses.join(id, { token }), presses[rival](id, { token })]);
      expect([joined.status, other.status].sort()).toEqual([200, 404]);
      const isMember = joined.status === 200 || rival === 'join';
      expect((await teamOf()).colleagues).toHaveLength(isMember ? 2 : 1);
    },
  );

  test('another person’s invitation can be neither accepted nor declined', async () => {
    const { body } = await invite({ email: newAddress() });
    const stranger = await signsIn({ email: newAddress() });
    for (const as of [t.other, stranger])
      for (const press of [presses.join, presses.decline])
        expect((await press(body.id, as)).body.code).toBe('invitation_over');
    expect((await teamOf()).invitations).toHaveLength(1);
  });

  test('a locked session lists no invitation', async () => {
    const email = newAddress();
    await invite({ email });
    const { token } = await signsIn({ email });
    await t.call(sessions.lockSession, {}, { as: { token } });
    expect((await t.call(sessions.readSession, {}, { as: { token } })).body.invitations).toEqual([]);
  });

  test('a wrong code, an expired or a revoked invitation does not join', async () => {
    const email = newAddress();
    const { body } = await invite({ email });
    await t.call(signIn.requestCode, { body: { email } }, { as: null });
    await t.call(signIn.verifyCode, { body: { email, code: '000000', bearer: true } }, { as: null });
    expect((await teamOf()).colleagues).toHaveLength(1);
    await t.call(team.revokeInvitation, { params: { invitationId: body.id } }, { as: desk });
    expect((await signsIn({ email })).session.gate.because).toBe('no-office');
    const late = newAddress();
    await invite({ email: late });
    t.later(7 * 24 * 60);
    expect((await signsIn({ email: late })).session.gate.because).toBe('no-office');
  });

  test('another address of the same mailbox does not join', async () => {
    const email = newAddress();
    await invite({ email });
    expect((await signsIn({ email: `x${email}` })).session.gate.because).toBe('no-office');
  });
});
