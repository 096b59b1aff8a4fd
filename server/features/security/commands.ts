import type { Services } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { UsageError, type CommandArguments, type Command, type CommandContext } from '#server/kit/command.ts';
import { enterOffice } from '#server/kit/db/db.ts';
import { officesInTransaction } from '#server/kit/db/office-directory.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { setAuthenticatorAt } from './authenticator-sql.ts';
import { readIdentifier, findIdentity, findPerson, endSessionsOf } from '#server/features/sign-in/index.ts';

export const personCommands: readonly Command[] = [
  {
    name: 'person reset-authenticator',
    takes: 'EMAIL|NUMBER',
    says: 'For a person who lost the authenticator app and the recovery codes: removes the app and signs them out everywhere',
    run: resetAuthenticator,
  },
];

async function resetAuthenticator(
  { services, say }: CommandContext,
  { operands: [username = ''] }: CommandArguments,
): Promise<void> {
  const input = username.includes('@') ? { email: username } : { phone: username };
  const person = await services.db.transaction().execute((tx) => findIdentity(tx, readIdentifier(input).value));
  if (!person) throw new UsageError(`Nobody signs in with ${username}.`);
  const { authenticatorAt } = await findPerson(services.db, person.personId);
  if (authenticatorAt === null) throw new UsageError(`${username} has no authenticator app set up.`);
  const signedOut = await removeAuthenticatorOf(services, person.personId);
  say(`${username} signs in with a code alone from now on, and was signed out of ${signedOut} devices.`);
}

async function removeAuthenticatorOf(services: Services, personId: string): Promise<number> {
  const actor = { kind: 'operator', id: null, name: null } as const;
  return services.db.transaction().execute(async (tx) => {
    await setAuthenticatorAt(tx, personId, null);
    const ended = await endSessionsOf(tx, personId, services.now());
    for (const { id: session } of ended) await sendHint(tx, { type: 'session', session });
    for (const { id: officeId } of await officesInTransaction(tx, personId)) {
      await enterOffice(tx, officeId);
      const scope = { officeId, actor, requestId: 'operator', now: services.now };
      await writeAuditEntry(tx, scope, { action: 'authenticator.remove', subject: personId });
    }
    return ended.length;
  });
}
