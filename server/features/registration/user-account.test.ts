import { describe, expect, test } from 'vitest';
import { readUser } from '#contract/practice/office.ts';
import * as registration from '#contract/practice/registration.ts';
import { me, openRegistrationApp, register, testApp, typedRegistration } from '#testing/fixtures/registration.ts';

openRegistrationApp();

describe('users of the second backend', () => {
  test('a user is created once, becomes a doctor of their own office only, and is found by their own email only', async () => {
    const { npi } = (await register({ ...typedRegistration, npi: '1215935358' })).body;
    const create = () =>
      testApp.call(
        registration.createUser,
        { body: { name: ' Ana  Ruiz ', relatedNpi: npi, userType: 'patient', dependents: [{ name: 'Leo' }] } },
        { as: me },
      );
    const [one, two] = [await create(), await create()];
    expect(one.body).toEqual(two.body);
    expect(one.body).toMatchObject({
      username: me.email,
      name: 'Ana Ruiz',
      relatedNpi: npi,
      dependents: [{ name: 'Leo' }],
    });
    const doctorOf = {
      address: '1 Elm St',
      city: 'Troy',
      state: 'NY',
      name: 'Elm',
      onboardingType: 'regular',
    } as const;
    const convert = (given: string, as: { token: string } = me) =>
      testApp.call(
        registration.convertToDoctor,
        { body: { npi: given, ...doctorOf, covidEnabled: true, visible: false } },
        { as },
      );
    expect((await convert(npi)).body).toMatchObject({ userType: 'doctor', settings: { visible: false } });
    expect((await convert(npi)).body).toMatchObject({ userType: 'doctor', settings: { visible: false } });
    expect((await convert(testApp.other.npi)).status).toBe(404);
    // An earlier NPI of the office names it, too.
    const [mine] = (await testApp.owner.selectFrom('office').select('id').where('npi', '=', npi).execute()).map(
      ({ id }) => id,
    );
    await testApp.owner
      .insertInto('officeNpi')
      .values({ officeId: mine ?? '', id: testApp.services.id(), npi: '1999999984', current: false })
      .execute();
    expect((await convert('1999999984')).status).toBe(200);
    expect((await convert(npi)).status).toBe(200);
    const kept = await testApp.owner
      .selectFrom('auth.person')
      .select('settings')
      .where('id', '=', me.personId)
      .executeTakeFirstOrThrow();
    expect(kept.settings).toMatchObject({ doctorOf: { npi, ...doctorOf }, covidEnabled: true, visible: false });
    const foreign = await testApp.call(
      registration.createUser,
      { body: { relatedNpi: testApp.other.npi } },
      { as: me },
    );
    expect(foreign.status).toBe(404);
    const byEmail = (email: string) => testApp.call(registration.readUserByEmail, { params: { email } }, { as: me });
    expect((await byEmail(me.email.toUpperCase())).body).toMatchObject({ name: 'Ana Ruiz', relatedNpi: npi });
    expect((await byEmail(`staff-${testApp.other.npi}@maple.test`)).status).toBe(404);
    expect((await byEmail('nobody@nowhere.test')).status).toBe(404);
    expect((await testApp.call(readUser, { params: { username: me.email } }, { as: me })).body).toMatchObject({
      name: 'Ana Ruiz',
    });
    expect(
      (await testApp.call(registration.readUserByEmail, { params: { email: me.email } }, { as: null })).status,
    ).toBe(401);
  });
});
