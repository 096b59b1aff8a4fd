import { NoList, type ExpandCall, type ListedConcept, type Terminology } from './port.ts';

const minutesMs = 60_000;
/** How long an answer is used. A list that could not be had is asked for again sooner. */
const ageMs = { listed: 24 * 60 * minutesMs, 'not listed': 60 * minutesMs, 'not reached': minutesMs } as const;
/** In all lists together: some 20 MB. */
const mostConcepts = 100_000;
/** Also counts lists that could not be had. */
const mostEntries = 2_000;

type Outcome = { concepts: ListedConcept[] } | { reason: NoList['reason'] };
interface Entry {
  outcome: Outcome;
  until: number;
}

/** Remembers expansions for a day, the least recently used ones leave first. Several forms that ask at once for a list make one call. */
export function cachedTerminology(name: string, call: ExpandCall, now: () => Date): Terminology {
  const entries = new Map<string, Entry>();
  const calls = new Map<string, Promise<Outcome>>();
  let cachedCharacters = 0;

  const sizeOf = (outcome: Outcome) => ('concepts' in outcome ? outcome.concepts.length : 0);
  function drop(reference: string): void {
    const entry = entries.get(reference);
    if (!entry) return;
    entries.delete(reference);
    cachedCharacters -= sizeOf(entry.outcome);
  }
  function keep(reference: string, entry: Entry): void {
    drop(reference);
    entries.set(reference, entry);
    cachedCharacters += sizeOf(entry.outcome);
    for (const oldest of entries.keys()) {
      if (cachedCharacters <= mostConcepts && entries.size <= mostEntries) break;
      drop(oldest);
    }
  }
  async function ask(reference: string): Promise<Outcome> {
    const outcome = await call(reference).then(
      (concepts): Outcome => ({ concepts }),
      (error: unknown): Outcome => {
        if (error instanceof NoList) return { reason: error.reason };
        throw error;
      },
    );
    const age = 'concepts' in outcome ? ageMs.listed : ageMs[outcome.reason];
    keep(reference, { outcome, until: now().getTime() + age });
    return outcome;
  }
  async function outcomeOf(reference: string, beforeCall: () => Promise<void>): Promise<Outcome> {
    const entry = entries.get(reference);
    if (entry && entry.until > now().getTime()) {
      keep(reference, entry);
      return entry.outcome;
    }
    const running = calls.get(reference);
    if (running) return running;
    await beforeCall();
    const started = calls.get(reference) ?? ask(reference).finally(() => calls.delete(reference));
    calls.set(reference, started);
    return started;
  }

  return {
    name,
    async expand(reference, beforeCall) {
      const outcome = await outcomeOf(reference, beforeCall);
      if ('reason' in outcome) throw new NoList(outcome.reason);
      return outcome.concepts;
    },
  };
}
