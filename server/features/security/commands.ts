import type { House } from '#server/context.ts';
import { record } from '#server/kit/audit.ts';
import { Mistake, type Asked, type Command, type Desk } from '#server/kit/command.ts';
import { enterOffice } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { setAuthenticatorAt } from './authenticator-sql.ts';
import { readIdentifier, officesOf, findIdentity, findPerson, endSessionsOf } from '#server/features/sign-in/index.ts';

export const personCommands: readonly Command[] = [
  {
    name: 'person reset-authenticator',
    takes: 'EMAIL|NUMBER',
    says: 'For who lost the authenticator app and the recovery codes: signing in asks for a code alone, and they are signed out everywhere',
    run: reset,
  },
];

async function reset({ house, say }: Desk, { words: [username = ''] }: Asked): Promise<void> {
  const given = username.includes('@') ? { email: username } : { phone: username };
  const who = await house.db.transaction().execute((tx) => findIdentity(tx, readIdentifier(given).value));
  if (!who) throw new Mistake(`Nobody signs in with ${username}.`);
  const { authenticatorAt } = await findPerson(house.db, who.personId);
  if (authenticatorAt === null) throw new Mistake(`${username} has no authenticator app set up.`);
  const signedOut = await takeOut(house, who.personId);
  say(`${username} signs in with a code alone from now on, and was signed out of ${signedOut} devices.`);
}

async function takeOut(house: House, personId: string): Promise<number> {
  const actor = { kind: 'operator', id: null, name: null } as const;
  return house.db.transaction().execute(async (tx) => {
    await setAuthenticatorAt(tx, personId, null);
    const ended = await endSessionsOf(tx, personId, house.now());
    for (const { id: session } of ended) await sendHint(tx, { type: 'session', session });
    for (const { id: officeId } of await officesOf(tx, personId)) {
      await enterOffice(tx, officeId);
      const scope = { officeId, actor, requestId: 'operator', now: house.now };
      await record(tx, scope, { action: 'authenticator.remove', subject: personId });
    }
    return ended.length;
  });
}
