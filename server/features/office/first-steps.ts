import type { FirstSteps } from '#contract/practice/first-steps.ts';
import type { OfficeCtx } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { findPerson } from '#server/features/sign-in/index.ts';
import { firstStepFacts, saveShown, setPosterPrinted } from './first-steps-sql.ts';

/** Which first steps are done, from what has happened in the office. */
export async function readFirstSteps(ctx: OfficeCtx): Promise<FirstSteps> {
  const { preferences } = await findPerson(ctx.db, ctx.caller.personId);
  return ctx.transaction((tx) => describe(tx, ctx.officeId, preferences.sound === true));
}

/** Closes or opens the list for everybody in the office, or remembers that the poster was printed. */
export async function saveFirstSteps(
  ctx: OfficeCtx,
  { shown, posterPrinted }: { shown?: boolean | undefined; posterPrinted?: true | undefined },
): Promise<FirstSteps> {
  const { preferences } = await findPerson(ctx.db, ctx.caller.personId);
  return ctx.transaction(async (tx) => {
    const isShownChanged = shown !== undefined && (await saveShown(tx, ctx.officeId, shown));
    const isPrinted = posterPrinted === true && (await setPosterPrinted(tx, ctx.officeId, ctx.now()));
    if (isShownChanged || isPrinted) await sendHint(tx, { office: ctx.officeId, type: 'settings' });
    return describe(tx, ctx.officeId, preferences.sound === true);
  });
}

async function describe(tx: Tx, officeId: string, sound: boolean): Promise<FirstSteps> {
  const { shown, ...done } = await firstStepFacts(tx, officeId);
  return { shown, done: { ...done, sound } };
}
