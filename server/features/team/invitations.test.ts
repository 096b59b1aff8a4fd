import { describe, expect, test } from 'vitest';
import { session as sessions, team } from '#contract/index.ts';
import {
  actionsOf,
  desk,
  invite,
  join,
  linkIn,
  linkTo,
  newAddress,
  openTeamApp,
  sentTo,
  signsIn,
  t,
  teamOf,
} from '#testing/fixtures/team.ts';

openTeamApp();

describe('inviting a colleague', () => {
  test('an invitation by email names the inviter, the practice, a link and its end', async () => {
    const email = newAddress();
    const { status, body } = await invite({ email: ` ${email.toUpperCase()} `, name: 'Sam Reyes' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ email, phone: null, name: 'Sam Reyes', invitedBy: 'Dana Whitlock', expired: false });
    expect(new Date(body.expiresAt).getTime() - t.now().getTime()).toBe(7 * 86_400_000);
    const [invitation] = await sentTo(email);
    expect(invitation?.body).toContain('Dana Whitlock invites you to work with Maple Street Pediatrics');
    expect(invitation?.body).toContain('http://localhost:3000/join/');
    expect((await teamOf()).invitations).toMatchObject([{ email, sentAt: t.now().toISOString() }]);
    expect(await actionsOf(desk)).toContain('staff.invite done');
  });

  test('an invitation by text comes from the office’s own number', async () => {
    await invite({ phone: '(202) 555-0142' });
    const [text] = await t.texts(desk);
    expect(text).toMatchObject({ toPhone: '+12025550142', kind: 'link', state: 'queued' });
    expect(linkIn(text?.sent)).toMatch(/^[\w-]{32}$/);
    expect((await teamOf()).invitations).toMatchObject([{ phone: '+12025550142', email: null }]);
  });

  test('an invitation from a Spanish panel is in Spanish', async () => {
    const email = newAddress();
    await t.call(team.inviteColleague, { body: { email } }, { as: desk, headers: { 'accept-language': 'es' } });
    expect((await sentTo(email))[0]?.body).toContain('Dana Whitlock le invita a trabajar con');
  });

  test('a number that sent STOP gets no text, and the list shows it', async () => {
    const phone = '+12025550143';
    await t.inOffice(desk, (tx) =>
      tx.insertInto('optOut').values({ officeId: desk.id, id: t.services.id(), phone, at: t.now() }).execute(),
    );
    await invite({ phone });
    expect((await teamOf()).invitations).toMatchObject([{ phone, sentAt: null }]);
  });

  test('an email that could not be sent is shown as such and can be resent', async () => {
    const email = `bounce@no-mailbox.maple.test`;
    expect((await invite({ email })).body.sentAt).toBeNull();
    expect((await teamOf()).invitations).toMatchObject([{ email, sentAt: null }]);
  });

  test('inviting twice, also in parallel, makes one invitation and one email', async () => {
    const email = newAddress();
    const both = await Promise.all([invite({ email }), invite({ email })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]?.body.id).toBe(both[1]?.body.id);
    await invite({ email });
    expect(await sentTo(email)).toHaveLength(1);
    expect((await teamOf()).invitations).toHaveLength(1);
  });

  test.each([
    [{}, 400],
    [{ email: 'sam@maple', phone: '+12025550101' }, 400],
    [{ email: 'no address' }, 400],
    [{ phone: '+44 20 7946 0000' }, 400],
    [{ email: 'sam@maple.test', name: 'x'.repeat(81) }, 400],
  ])('%o is refused', async (body, status) => expect((await invite(body)).status).toBe(status));

  test('a member is not invited again', async () => {
    const { status, body } = await invite({ email: `staff-${desk.npi}@maple.test` });
    expect([status, body.code]).toEqual([409, 'already_colleague']);
    expect(await actionsOf(desk)).toContain('staff.invite already_colleague');
  });

  test('resending makes a new link for another week and ends the old link', async () => {
    const email = newAddress();
    const { body } = await invite({ email });
    const old = await linkTo(email);
    t.later(3 * 24 * 60);
    await t.prove(desk.personId);
    const params = { invitationId: body.id };
    const again = await t.call(team.resendInvitation, { params }, { as: desk });
    expect(new Date(again.body.expiresAt).getTime() - t.now().getTime()).toBe(7 * 86_400_000);
    expect((await t.call(team.readInvitation, { params: { token: old } }, { as: null })).status).toBe(404);
    const token = await linkTo(email);
    expect((await t.call(team.readInvitation, { params: { token } }, { as: null })).status).toBe(200);
  });

  test('another office’s invitation can be neither resent nor revoked', async () => {
    const { body } = await invite({ email: newAddress() });
    const params = { invitationId: body.id };
    const as = t.other;
    await t.prove(t.other.personId);
    expect((await t.call(team.resendInvitation, { params }, { as })).body.code).toBe('invitation_over');
    expect((await t.call(team.revokeInvitation, { params }, { as })).body.code).toBe('invitation_over');
    expect((await teamOf()).invitations).toHaveLength(1);
  });
});

describe('an invitation’s link', () => {
  test('the link shows who invites whom to which practice, and signs nobody in', async () => {
    const email = newAddress();
    await invite({ email });
    const params = { token: await linkTo(email) };
    const { status, body, headers } = await t.call(team.readInvitation, { params }, { as: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      officeName: 'Maple Street Pediatrics',
      invitedBy: 'Dana Whitlock',
      email,
      phone: null,
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect((await t.call(team.acceptInvitation, { params }, { as: null })).status).toBe(401);
  });

  test('the link ends after seven days, when revoked, and when accepted', async () => {
    const [late, back, up] = [newAddress(), newAddress(), newAddress()];
    for (const email of [late, back, up]) await invite({ email });
    const tokens = await Promise.all([late, back, up].map(linkTo));
    const read = async () =>
      Promise.all(
        tokens.map(async (token) => (await t.call(team.readInvitation, { params: { token } }, { as: null })).status),
      );
    expect(await read()).toEqual([200, 200, 200]);
    const open = (await teamOf()).invitations.find(({ email }) => email === back);
    await t.call(team.revokeInvitation, { params: { invitationId: open?.id ?? '' } }, { as: desk });
    await join(await signsIn({ email: up }));
    expect(await read()).toEqual([200, 404, 404]);
    t.later(7 * 24 * 60);
    expect(await read()).toEqual([404, 404, 404]);
    expect((await teamOf()).invitations).toMatchObject([{ email: late, expired: true }]);
  });

  test('a person signed in with the invited address joins by the link at once', async () => {
    const email = newAddress();
    const { token, session } = await signsIn({ email });
    expect(session.gate.because).toBe('no-office');
    await invite({ email });
    const params = { token: await linkTo(email) };
    expect((await t.call(team.acceptInvitation, { params }, { as: { token } })).body).toEqual({ officeId: desk.id });
    const { body } = await t.call(sessions.readSession, {}, { as: { token } });
    expect(body.office?.id).toBe(desk.id);
    expect((await t.call(team.acceptInvitation, { params }, { as: { token } })).body.code).toBe('invitation_over');
  });

  test('the link does not work for another signed-in person', async () => {
    const email = newAddress();
    await invite({ email });
    const params = { token: await linkTo(email) };
    const answer = await t.call(team.acceptInvitation, { params }, { as: t.other });
    expect([answer.status, answer.body.code]).toEqual([403, 'invited_another']);
    expect((await teamOf()).colleagues).toHaveLength(1);
  });
});
