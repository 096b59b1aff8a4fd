import { heldAfterMinutes } from '#contract/texting.ts';
import type { CommandArguments, Command, CommandContext } from '#server/kit/command.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { heldTexts, officeIds } from './held-texts-sql.ts';
import { commitTextMove } from './text-outcomes.ts';

export const textCommands: readonly Command[] = [
  {
    name: 'texts release',
    takes: '[--limited]',
    switches: ['limited'],
    says: `Sends texts that a restore held and that are less than ${heldAfterMinutes} minutes late; older ones stay held. --limited: also those that a send limit held`,
    run: release,
  },
];

async function release({ services, say }: CommandContext, { switches }: CommandArguments): Promise<void> {
  const limited = switches.has('limited');
  const since = new Date(services.now().getTime() - heldAfterMinutes * 60_000);
  let released = 0;
  let left = 0;
  for (const officeId of await officeIds(services.pool)) {
    const { ids, older } = await asOffice(services.db, officeId, (tx) => heldTexts(tx, officeId, { since, limited }));
    left += older;
    for (const id of ids) if (await commitTextMove(services, { officeId, id }, 'letGo')) released++;
  }
  say(`${released} texts released. ${left} are more than ${heldAfterMinutes} minutes late and stay held.`);
}
