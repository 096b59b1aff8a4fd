import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queue, session as sessions, signIn, team } from '#contract/index.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

/** A separate practice for each test, because tests count its members. */
let desk: TestOffice;
beforeEach(async () => void (desk = await t.office()));

let people = 0;
const newAddress = () => `colleague-${++people}@maple.test`;
const invite = (body: { email?: string; phone?: string; name?: string }, as: TestOffice = desk) =>
  t.call(team.inviteColleague, { body }, { as });
const teamOf = async (as: TestOffice = desk) => (await t.call(team.listTeam, {}, { as })).body;
const actionsOf = async (of: TestOffice) =>
  (await t.auditEntries(of)).map(({ action, outcome }) => `${action} ${outcome}`);

/** Everything sent to an address or number, newest first. */
const sentTo = (to: string) =>
  t.services.db.selectFrom('dev.outbox').selectAll().where('recipient', '=', to).orderBy('id', 'desc').execute();
const linkIn = (words: string | undefined) => /\/join\/([\w-]+)/.exec(words ?? '')?.[1] ?? '';
const linkTo = async (email: string) => linkIn((await sentTo(email)).find(({ body }) => body.includes('/join/'))?.body);

/** Signs in with a code sent to this address or number; returns a bearer token and the session. */
async function signsIn(to: { email: string } | { phone: string }) {
  t.later(1);
  await t.call(signIn.requestCode, { body: to }, { as: null });
  const code = /\b\d{6}\b/.exec((await sentTo(Object.values(to)[0] as string))[0]?.body ?? '')?.[0] ?? '';
  const { body } = await t.call(signIn.verifyCode, { body: { ...to, code, bearer: true } }, { as: null });
  return { token: body.token ?? '', session: body.session };
}

/** Presses "Join" on the first invitation that the session lists. */
async function join({ token, session }: Awaited<ReturnType<typeof signsIn>>) {
  const params = { invitationId: session.invitations[0]?.id ?? '' };
  const { body } = await t.call(team.joinOffice, { params }, { as: { token } });
  return { body, session: (await t.call(sessions.readSession, {}, { as: { token } })).body };
}

describe('inviting a colleague', () => {
  test('an invitation by email names the inviter, the practice, a link and its end', async () => {
    const email = newAddress();
    const { status, body } = await invite({ email: ` ${email.toUpperCase()} `, name: 'Sam Reyes' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ email, phone: null, name: 'Sam Reyes', invitedBy: 'Dana Whitlock', expired: false });
    expect(new Date(body.expiresAt).getTime() - t.now().getTime()).toBe(7 * 86_400_000);
    const [letter] = await sentTo(email);
    expect(letter?.body).toContain('Dana Whitlock invites you to work with Maple Street Pediatrics');
    expect(letter?.body).toContain('http://localhost:3000/join/');
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
    const email = `bounce@${people++}.maple.test`;
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

describe('removing a colleague', () => {
  const remove = (personId: string, as: TestOffice | { token: string } = desk) =>
    t.call(team.removeColleague, { params: { personId } }, { as });
  async function colleague() {
    const email = newAddress();
    const personId = await t.addStaff({ name: 'Luis Herrera', email }, [desk]);
    const token = await t.signIn(personId);
    return { email, personId, token, as: { ...desk, token, personId, staffName: 'Luis Herrera' } };
  }

  test('a removed colleague loses access with the next call and is notified by email', async () => {
    const luis = await colleague();
    expect((await t.call(queue.listQueue, { query: {} }, { as: luis.as })).status).toBe(200);
    expect((await remove(luis.personId)).body).toEqual({ removed: true });
    expect((await t.call(queue.listQueue, { query: {} }, { as: luis.as })).status).toBe(403);
    expect((await t.call(sessions.readSession, {}, { as: luis.as })).body.gate.because).toBe('no-office');
    expect((await sentTo(luis.email))[0]?.body).toContain('You no longer belong to Maple Street Pediatrics');
    expect((await teamOf()).colleagues).toHaveLength(1);
    expect(await actionsOf(desk)).toContain('staff.remove done');
  });

  test('a removed colleague keeps their other practices', async () => {
    const luis = await colleague();
    const second = await t.office({ name: 'Harbor' });
    await t.owner
      .insertInto('membership')
      .values({ officeId: second.id, id: t.services.id(), personId: luis.personId, createdAt: t.now() })
      .execute();
    await remove(luis.personId);
    const { body } = await t.call(sessions.readSession, {}, { as: luis.as });
    expect(body.gate.because).toBe('choose-office');
    expect(body.offices.map(({ id }) => id)).toEqual([second.id]);
    expect((await t.call(queue.listQueue, { query: {} }, { as: luis.as })).status).toBe(404);
  });

  test('a removed colleague with only a number is notified by text', async () => {
    const personId = await t.addStaff({ name: 'Mina Castro', phone: '+12025550145' }, [desk]);
    await remove(personId);
    expect(await t.texts(desk)).toMatchObject([{ toPhone: '+12025550145', kind: 'message' }]);
  });

  describe('a colleague with only a number', () => {
    const newNumber = () => `+1202555${String(3000 + ++people)}`;
    async function phoneColleague() {
      const phone = newNumber();
      const personId = await t.addStaff({ name: 'Mina Castro', phone }, [desk]);
      const token = await t.signIn(personId);
      return { phone, personId, token, as: { ...desk, token, personId, staffName: 'Mina Castro' } };
    }
    const textsTo = async (phone: string) => (await t.texts(desk)).filter(({ toPhone }) => toPhone === phone);
    const sees = async (as: TestOffice) => (await t.call(queue.listQueue, { query: {} }, { as })).status;

    test('a removed colleague loses the session, the invitations they sent, and an open one to their other number', async () => {
      const mina = await phoneColleague();
      const [ghost, second] = [newNumber(), newNumber()];
      await invite({ phone: ghost }, mina.as);
      await invite({ phone: second });
      await t.owner
        .insertInto('auth.identity')
        .values({ id: t.services.id(), personId: mina.personId, kind: 'phone', value: second, verifiedAt: t.now() })
        .execute();
      expect((await teamOf()).invitations).toHaveLength(2);
      const links = [...(await textsTo(ghost)), ...(await textsTo(second))].map(({ sent }) => linkIn(sent));
      expect(await sees(mina.as)).toBe(200);
      expect((await remove(mina.personId)).status).toBe(200);
      expect(await sees(mina.as)).toBe(403);
      expect((await teamOf()).invitations).toEqual([]);
      for (const token of links)
        expect((await t.call(team.readInvitation, { params: { token } }, { as: null })).status).toBe(404);
      expect((await textsTo(mina.phone)).map(({ kind }) => kind)).toEqual(['message']);
    });

    test('a colleague removed by two people in parallel is removed once and gets one text', async () => {
      const second = await colleague();
      for (let i = 0; i < 4; i++) {
        const mina = await phoneColleague();
        const ghost = newNumber();
        await invite({ phone: ghost }, mina.as);
        const both = await Promise.all([remove(mina.personId), remove(mina.personId, second.as)]);
        expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
        expect(await sees(mina.as)).toBe(403);
        expect(await textsTo(mina.phone)).toHaveLength(1);
        expect((await teamOf()).invitations).toEqual([]);
        const removals = (await t.auditEntries(desk)).filter(
          ({ action, outcome, subject }) =>
            action === 'staff.remove' && outcome === 'done' && subject === mina.personId,
        );
        expect(removals).toHaveLength(1);
      }
    });

    test('a colleague invited again after removal sees nothing before joining, and old invitations stay ended', async () => {
      const mina = await phoneColleague();
      const ghost = newNumber();
      await invite({ phone: ghost }, mina.as);
      await remove(mina.personId);
      expect((await invite({ phone: mina.phone })).status).toBe(200);
      expect(await sees(mina.as)).toBe(403);
      expect((await teamOf()).invitations).toMatchObject([{ phone: mina.phone }]);
      const { token, session } = await signsIn({ phone: mina.phone });
      expect(session.gate.because).toBe('no-office');
      expect((await join({ token, session })).session.office?.id).toBe(desk.id);
      expect(await sees({ ...desk, token })).toBe(200);
      expect((await teamOf()).invitations).toEqual([]);
      expect((await teamOf()).colleagues[1]).toMatchObject({ id: mina.personId, phone: mina.phone });
    });
  });

  test('removing a colleague ends an open invitation to their other address', async () => {
    const luis = await colleague();
    await t.owner
      .insertInto('auth.identity')
      .values({
        id: t.services.id(),
        personId: luis.personId,
        kind: 'phone',
        value: '+12025550146',
        verifiedAt: t.now(),
      })
      .execute();
    await t.inOffice(desk, (tx) =>
      tx
        .insertInto('invitation')
        .values({
          officeId: desk.id,
          id: t.services.id(),
          kind: 'phone',
          value: '+12025550146',
          tokenHash: Buffer.from(luis.personId),
          invitedByName: 'Dana',
          createdAt: t.now(),
          expiresAt: new Date(t.now().getTime() + 86_400_000),
        })
        .execute(),
    );
    await remove(luis.personId);
    expect((await teamOf()).invitations).toEqual([]);
  });

  test('removing a colleague ends the invitations they sent, but not those a colleague resent', async () => {
    const luis = await colleague();
    const [ghost, kept] = [newAddress(), newAddress()];
    await invite({ email: ghost }, luis.as);
    const { body } = await invite({ email: kept }, luis.as);
    await t.call(team.resendInvitation, { params: { invitationId: body.id } }, { as: desk });
    const token = await linkTo(ghost);
    await remove(luis.personId);
    expect((await teamOf()).invitations).toMatchObject([{ email: kept, invitedBy: 'Dana Whitlock' }]);
    expect((await t.call(team.readInvitation, { params: { token } }, { as: null })).status).toBe(404);
    const signed = await signsIn({ email: ghost });
    expect([signed.session.gate.because, signed.session.invitations]).toEqual(['no-office', []]);
  });

  test('when a removal and a join run in parallel, the invited person joined before or the invitation is gone', async () => {
    for (let i = 0; i < 6; i++) {
      const luis = await colleague();
      const email = newAddress();
      await invite({ email }, luis.as);
      const signed = await signsIn({ email });
      await t.prove(desk.personId);
      const [joined, removed] = await Promise.all([join(signed), remove(luis.personId)]);
      expect(removed.status).toBe(200);
      const ends = await t.inOffice(desk, (tx) =>
        tx.selectFrom('invitation').select('state').where('value', '=', email).executeTakeFirstOrThrow(),
      );
      const isMember = joined.session.office?.id === desk.id;
      expect(ends.state).toBe(isMember ? 'accepted' : 'revoked');
      expect(joined.body.code).toBe(isMember ? undefined : 'invitation_over');
    }
  });

  test('after removal from their first office the session names the next one, with its NPI', async () => {
    const luis = await colleague();
    const namesake = await t.office();
    const invited = (await teamOf()).colleagues.find(({ id }) => id === luis.personId)?.email ?? '';
    await invite({ email: invited }, namesake);
    await remove(luis.personId);
    // Invited by an office of the same name, and not joined: they belong nowhere.
    const alone = (await t.call(sessions.readSession, {}, { as: { token: luis.token } })).body;
    expect([alone.gate.because, alone.office, alone.invitations[0]?.npi]).toEqual(['no-office', null, namesake.npi]);
    await join({ token: luis.token, session: alone });
    const { body } = await t.call(sessions.readSession, {}, { as: { token: luis.token } });
    expect(body.office).toMatchObject({ id: namesake.id, npi: namesake.npi });
  });

  test('removing oneself sends no email', async () => {
    const luis = await colleague();
    expect((await remove(luis.personId, luis.as)).status).toBe(200);
    expect(await sentTo(luis.email)).toEqual([]);
    expect((await t.call(team.listTeam, {}, { as: luis.as })).status).toBe(403);
  });

  test('the last colleague cannot be removed', async () => {
    const { status, body } = await remove(desk.personId);
    expect([status, body.code]).toEqual([409, 'last_colleague']);
    expect(await actionsOf(desk)).toContain('staff.remove last_colleague');
    expect((await teamOf()).colleagues).toHaveLength(1);
  });

  test('of two colleagues who remove each other in parallel one is left', async () => {
    for (let i = 0; i < 5; i++) {
      const office = await t.office();
      const personId = await t.addStaff({ name: 'Luis', email: newAddress() }, [office]);
      const luis = { ...office, token: await t.signIn(personId), personId };
      const both = await Promise.all([remove(personId, office), remove(office.personId, luis)]);
      expect(both.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
      const left = await t.inOffice(office, (tx) => tx.selectFrom('membership').select('personId').execute());
      expect(left).toHaveLength(1);
    }
  });

  test('two parallel removals count once; a third call finds nobody', async () => {
    const luis = await colleague();
    const twice = await Promise.all([remove(luis.personId), remove(luis.personId)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await remove(luis.personId)).body.code).toBe('colleague_not_found');
  });

  test('a colleague of another office is not found', async () => {
    const { status, body } = await remove(t.other.personId);
    expect([status, body.code]).toEqual([404, 'colleague_not_found']);
    expect((await t.call(queue.listQueue, { query: {} }, { as: t.other })).status).toBe(200);
  });
});
