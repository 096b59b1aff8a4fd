import { lazyModule } from '#web/questionnaire/lazy-parts.ts';

export async function loadEnding() {
  const ending = await import('#web/phone/features/forms/review/ending.ts');
  await ending.loadMessages();
  return ending;
}

/** What may follow the last page of a form; fetched once the first one is on screen. */
export const { fetch: fetchEnding, use: useEnding } = lazyModule(loadEnding);
