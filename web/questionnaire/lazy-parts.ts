import { useEffect, type ReactNode } from 'react';
import { createStore, useStore } from '#web/kit/store.ts';
import { formOf } from '#questionnaire/form.ts';
import { urls } from '#questionnaire/extensions.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { extensionsOfOption } from '#questionnaire/options.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';

/** Parts that not every form needs, or not before its first page is on screen: each is a chunk of its own. */
const load = {
  longChoice: () => import('./answers/long-choice.tsx'),
  dates: () => import('./dates/date-answer.tsx'),
  times: () => import('./answers/time-answer.tsx'),
  several: () => import('./answers/several-answers.tsx'),
  quantity: () => import('./answers/quantity-answer.tsx'),
  repeatedGroup: () => import('./answers/repeated-group.tsx'),
  photo: () => import('./answers/photo-answer.tsx'),
  signature: () => import('./answers/signature-answer.tsx'),
  own: () => import('./answers/own-answer.tsx'),
  notes: () => import('./answers/notes.ts'),
  rich: () => import('./answers/rich/rich-text.tsx'),
  rest: () => import('./review/after-first-page.ts'),
};
export type LazyPart = keyof typeof load;
type Parts = { [P in LazyPart]: Awaited<ReturnType<(typeof load)[P]>> };

/** Nobody reads more options one by one. */
export const maxChoiceButtons = 12;

/** Whether `count` options are shown as a list to search instead of buttons. */
export function isLongChoice(item: FormItem, count: number): boolean {
  const { control, repeats } = item;
  if (count <= maxChoiceButtons && hasOptionMedia(item)) return false;
  if (control === 'autocomplete' || (control === 'drop-down' && !repeats)) return true;
  return count > maxChoiceButtons && control !== 'radio-button' && control !== 'check-box';
}

/** Whether the author laid the text out. */
export const hasLayout = ({ source }: FormItem): boolean =>
  source._text?.extension?.some(({ url }) => url === urls.markdown || url === urls.xhtml) ?? false;

export const hasMedia = ({ source }: FormItem): boolean =>
  source.extension?.some(({ url }) => url === urls.itemMedia) ?? false;

/** Whether options have pictures or recordings. */
export const hasOptionMedia = ({ options }: FormItem): boolean =>
  options.some((option) => extensionsOfOption(option).some(({ url }) => url === urls.itemAnswerMedia));

function partOf(item: FormItem): LazyPart | null {
  const { type, control, options, signature } = item;
  if (type === 'boolean' || control === 'slider' || options.length > 0)
    return control === 'slider' || isLongChoice(item, options.length) ? 'longChoice' : null;
  if (type === 'quantity') return 'quantity';
  if (type === 'group') return item.repeats ? 'repeatedGroup' : null;
  if (type === 'attachment') return signature ? 'signature' : 'photo';
  if (type === 'date') return 'dates';
  return type === 'dateTime' || type === 'time' ? 'times' : null;
}

/** Whether a note stands beside the question or in its place. */
const hasNotes = ({ calculated, initialBy, readOnly, type }: FormItem) =>
  calculated ?? initialBy ?? (readOnly || type === 'unknown');

let fetchUpload = (): Promise<unknown> => Promise.resolve();

/** Sets how to fetch the module that uploads pictures. It is fetched with the first question for a picture; a preview uploads none. */
export function setUploadModule(load: () => Promise<unknown>): void {
  fetchUpload = load;
}

let fetchMessages = (): Promise<unknown> => Promise.resolve();

/** Sets how to fetch the parts' texts that are not those of every form. */
export function setPartMessages(load: () => Promise<unknown>): void {
  fetchMessages = load;
}

const fetched = createStore<Partial<Parts>>({});

/** Fetches a part once; rejects when the network fails. */
export async function fetchLazyPart(part: LazyPart): Promise<void> {
  if (fetched.get()[part]) return;
  const [coming] = await Promise.all([load[part](), part === 'dates' || fetchMessages()]);
  fetched.set({ ...fetched.get(), [part]: coming });
}

/** Fetches all parts that these items need. */
export async function fetchPartsOf(items: readonly FormItem[]): Promise<void> {
  const wanted = new Set(items.map(partOf));
  if (items.some((item) => item.repeats && item.isQuestion)) wanted.add('several');
  if (items.some(hasNotes)) wanted.add('notes');
  if (
    items.some((item) => hasOptionMedia(item) || [item, ...item.hints].some((one) => hasLayout(one) || hasMedia(one)))
  )
    wanted.add('rich');
  if (items.some(({ takesOther }) => takesOther)) wanted.add('own');
  const hasPictures = wanted.has('photo') || wanted.has('signature');
  wanted.delete(null);
  await Promise.all([...Array.from(wanted as Set<LazyPart>, fetchLazyPart), hasPictures && fetchUpload()]);
}

/** Fetches all parts that the questionnaire needs. */
export const fetchPartsFor = (questionnaire: Questionnaire) => fetchPartsOf(formOf(questionnaire).all);

/** A part once it is loaded, null until then. */
export function useLoadedPart<P extends LazyPart>(part: P | null): Parts[P] | null {
  const parts = useStore(fetched);
  return part ? (parts[part] ?? null) : null;
}

/** A part once it is loaded, null until then. Fetches it. */
export function usePart<P extends LazyPart>(part: P | null): Parts[P] | null {
  const here = useLoadedPart(part);
  useEffect(() => {
    if (part) void fetchLazyPart(part).catch(() => undefined);
  }, [part]);
  return here;
}

interface LaterProps<P extends LazyPart> {
  part: P;
  show: (part: Parts[P]) => ReactNode;
}

/** What a part shows once it is loaded; nothing until then. */
export function Later<P extends LazyPart>({ part, show }: LaterProps<P>): ReactNode {
  const here = usePart(part);
  return here && show(here);
}

/** Like a part, but for the screens around a form: a module that is fetched when it is first needed. */
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

/** Not every browser fetches a module again after a failure, so this reloads the page as soon as there is a network. */
export function reloadOnceOnline(first: () => Promise<void> = () => Promise.resolve()): void {
  const again = () => void first().then(() => location.reload());
  if (navigator.onLine) setTimeout(again, 5_000);
  else window.addEventListener('online', again, { once: true });
}
