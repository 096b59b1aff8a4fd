import { lazyModule } from '#web/questionnaire/lazy-parts.ts';

/** What may follow the last page of a form; fetched once the first one is on screen. */
export const { fetch: fetchEnding, use: useEnding } = lazyModule(async () => {
  const ending = await import('#web/phone/features/forms/review/ending.ts');
  await ending.loadMessages();
  return ending;
});
