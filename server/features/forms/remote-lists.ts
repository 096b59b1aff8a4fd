/** Lists of answers that a questionnaire names by a value set and does not bring with it: from the terminology server, if there is one. */
import type { SuppliedValueSet } from '#questionnaire/loading/value-sets.ts';
import type { OfficeCtx } from '#server/context.ts';
import type { Limit } from '#server/kit/http/rate-limits.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { isLimited } from '#server/office-row.ts';
import { NoList, type Terminology } from '#server/providers/terminology/port.ts';
import type { CheckedForm } from './check-loaded-form.ts';
import { checkFormInWorker } from './form-work.ts';

/** Calls to the terminology server; a list that is remembered costs nothing. */
const perOffice: Limit = { name: 'value-set-calls', points: 60, seconds: 3600 };
/** All practices together that are not confirmed: anybody can register one. */
const limitedOffices: Limit = { name: 'value-set-calls-limited', points: 60, seconds: 3600 };

const mostSets = 40;
/** For all lists of a form, in characters of JSON, because each phone loads them. */
const mostText = 1_500_000;
const atOnce = 4;
/** For all lists of a form: somebody waits in front of the screen. */
const patienceMs = 15_000;

/** Whether a terminology server can be asked for it: a canonical address. */
const isCanonical = (reference: string) => reference.length <= 500 && /^(https?:\/\/|urn:)/i.test(reference);

/** Checks an office's questionnaire, with the lists that the terminology server has for it. */
export async function checkWithRemoteLists(ctx: OfficeCtx, text: string): Promise<CheckedForm> {
  const mayCall = async () => {
    const limited = await ctx.transaction((tx) => isLimited(tx, ctx.officeId));
    await ctx.limits.takeEach([[perOffice, ctx.officeId], ...(limited ? [[limitedOffices, ''] as const] : [])]);
  };
  return addRemoteLists(text, ctx.officeId, ctx.providers.terminology, mayCall);
}

/** Checks a questionnaire, and a second time with the lists that it lacks, if a terminology server is configured. */
export async function addRemoteLists(
  text: string,
  owner: string,
  terminology: Terminology,
  mayCall: () => Promise<void> = () => Promise.resolve(),
): Promise<CheckedForm> {
  const checked = await checkFormInWorker(text, owner);
  const wanted = checked.missingValueSets.filter(isCanonical).slice(0, mostSets);
  if (!checked.definition || terminology.name === 'off' || wanted.length === 0) return checked;
  const supplied = withinSize(await expandAll(wanted, terminology, mayCall));
  const withLists = await checkFormInWorker(text, owner, supplied);
  // The lists alone must not make a form unusable, for example because checking it takes too long with them.
  return withLists.definition ? withLists : checked;
}

async function expandAll(
  wanted: readonly string[],
  terminology: Terminology,
  mayCall: () => Promise<void>,
): Promise<SuppliedValueSet[]> {
  const rest = [...wanted];
  const found = new Map<string, SuppliedValueSet>();
  const deadline = AbortSignal.timeout(patienceMs);
  const tooLate = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve()));
  const lane = async () => {
    for (let next = rest.shift(); next !== undefined && !deadline.aborted; next = rest.shift())
      found.set(next, await supply(next, terminology, mayCall));
  };
  const lanes = Promise.all(Array.from({ length: atOnce }, lane));
  await Promise.race([lanes, tooLate]);
  // What comes after the deadline is remembered for the next form.
  lanes.catch(() => undefined);
  return wanted.map((reference) => found.get(reference) ?? { reference, failure: 'value_set_not_reached' });
}

async function supply(
  reference: string,
  terminology: Terminology,
  mayCall: () => Promise<void>,
): Promise<SuppliedValueSet> {
  try {
    return { reference, concepts: await terminology.expand(reference, mayCall) };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'too_many_tries')
      return { reference, failure: 'value_set_not_asked' };
    if (!(error instanceof NoList)) throw error;
    return { reference, failure: error.reason === 'not reached' ? 'value_set_not_reached' : 'value_set_not_listed' };
  }
}

/** Leaves out lists that would make the questionnaire too large for a phone. */
function withinSize(supplied: readonly SuppliedValueSet[]): SuppliedValueSet[] {
  let left = mostText;
  return supplied.map((one) => {
    const size = JSON.stringify(one).length;
    if (size > left) return { reference: one.reference, failure: 'value_set_not_listed' };
    left -= size;
    return one;
  });
}
