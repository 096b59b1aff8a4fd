import { describe, expect, test } from 'vitest';
import { queue, session as sessions, team } from '#contract/index.ts';
import { addToDirectory } from '#server/kit/db/office-directory.ts';
import type { TestOffice } from '#testing/app/test-app.ts';
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
    await t.inOffice(second, async (tx) => {
      await tx
        .insertInto('membership')
        .values({ officeId: second.id, id: t.services.id(), personId: luis.personId, createdAt: t.now() })
        .execute();
      await addToDirectory(tx, { officeId: second.id, kind: 'person', key: luis.personId });
    });
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
    let numbers = 0;
    const newNumber = () => `+1202555${String(3000 + ++numbers)}`;
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

  test('when two colleagues remove each other in parallel, one is left', async () => {
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
