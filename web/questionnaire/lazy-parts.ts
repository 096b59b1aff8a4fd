import { useEffect } from 'react';
import { createStore, useStore } from '#web/kit/store.ts';
import { formOf, type FormItem } from '#questionnaire/form.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';

/** What not every form needs, or not before its first page is on screen: each a chunk of its own. */
const load = {
  longChoice: () => import('./answers/long-choice.tsx'),
  dates: () => import('./dates/date-answer.tsx'),
  several: () => import('./answers/several-answers.tsx'),
  quantity: () => import('./answers/quantity-answer.tsx'),
  repeatedGroup: () => import('./answers/repeated-group.tsx'),
  photo: () => import('./answers/photo-answer.tsx'),
  signature: () => import('./answers/signature-answer.tsx'),
  rest: () => import('./review/after-first-page.ts'),
};
export type Part = keyof typeof load;
type Parts = { [P in Part]: Awaited<ReturnType<(typeof load)[P]>> };

/** More than so many answers are not read one by one. */
export const maxChoiceButtons = 12;

/** Is one of `count` answers found in a list rather than among buttons? */
export function isLongChoice({ control, repeats }: FormItem, count: number): boolean {
  if (control === 'autocomplete' || (control === 'drop-down' && !repeats)) return true;
  return count > maxChoiceButtons && control !== 'radio-button' && control !== 'check-box';
}

function partOf(item: FormItem): Part | null {
  const { type, control, options, signature } = item;
  if (type === 'boolean' || control === 'slider' || options.length > 0)
    return control === 'slider' || isLongChoice(item, options.length) ? 'longChoice' : null;
  if (type === 'quantity') return 'quantity';
  if (type === 'group') return item.repeats ? 'repeatedGroup' : null;
  if (type === 'attachment') return signature ? 'signature' : 'photo';
  return type === 'date' || type === 'dateTime' || type === 'time' ? 'dates' : null;
}

let fetchUpload = (): Promise<unknown> => Promise.resolve();

/** Sets how the module that sends pictures is fetched, together with the first question that asks for one. A preview sends none. */
export function setUpload(load: () => Promise<unknown>): void {
  fetchUpload = load;
}

const fetched = createStore<Partial<Parts>>({});

/** Fetches a part once; rejects when the network fails. */
export async function fetchPart(part: Part): Promise<void> {
  if (fetched.get()[part]) return;
  const coming = await load[part]();
  fetched.set({ ...fetched.get(), [part]: coming });
}

/** Everything it takes to answer these items. */
export async function fetchPartsOf(items: readonly FormItem[]): Promise<void> {
  const wanted = new Set(items.map(partOf));
  if (items.some((item) => item.repeats && item.isQuestion)) wanted.add('several');
  const hasPictures = wanted.has('photo') || wanted.has('signature');
  wanted.delete(null);
  await Promise.all([...Array.from(wanted as Set<Part>, fetchPart), hasPictures && fetchUpload()]);
}

/** And this whole questionnaire. */
export const fetchPartsFor = (questionnaire: Questionnaire) => fetchPartsOf(formOf(questionnaire).all);

/** A part once it is here; until then null. */
export function useLoadedPart<P extends Part>(part: P | null): Parts[P] | null {
  const parts = useStore(fetched);
  return part ? (parts[part] ?? null) : null;
}

/** A part once it is here; until then null, and it is asked for. */
export function usePart<P extends Part>(part: P | null): Parts[P] | null {
  const here = useLoadedPart(part);
  useEffect(() => {
    if (part) void fetchPart(part).catch(() => undefined);
  }, [part]);
  return here;
}

/** A module that the screens around a form fetch when it is first needed, as parts are. */
export function lazyModule<M>(load: () => Promise<M>) {
  const store = createStore<M | null>(null);
  const fetch = async (): Promise<void> => {
    if (!store.get()) store.set(await load());
  };
  const use = (isNeeded: boolean): M | null => {
    const module = useStore(store);
    useEffect(() => {
      if (isNeeded) void fetch().catch(() => undefined);
    }, [isNeeded]);
    return isNeeded ? module : null;
  };
  return { fetch, use };
}

/** A module that failed once is not fetched again by every browser: the page is loaded anew as soon as there is a network. */
export function reloadOnceOnline(first: () => Promise<void> = () => Promise.resolve()): void {
  const again = () => void first().then(() => location.reload());
  if (navigator.onLine) setTimeout(again, 5_000);
  else window.addEventListener('online', again, { once: true });
}
