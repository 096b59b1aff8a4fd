/**
 * Flags: named switches, off where nobody set them.
 *
 * source: settings by name in which a flag may be set. The first source that says yes or no decides.
 */

/** Settings as they are kept: only `true` and `false` in them are flags. */
export type Settings = Record<string, unknown>;

/** Part 1 §6, in the order of the look-up: the person's own, the visible doctor's, features, global. */
export const flagSources = ['person', 'doctor', 'features', 'global'] as const;
export type FlagSources = Partial<Record<(typeof flagSources)[number], Settings | undefined>>;

/** Is this flag on? */
export function isFlagOn(name: string, sources: FlagSources): boolean {
  for (const source of flagSources) {
    const settings = sources[source];
    const set = settings && Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (typeof set === 'boolean') return set;
  }
  return false;
}

/** Every flag that some source sets, on or off; one that is missing was never set. */
export function flagsOf(sources: FlagSources): Record<string, boolean> {
  const names = new Set(flagSources.flatMap((source) => flagsIn(sources[source] ?? {})));
  return Object.fromEntries([...names].sort().map((name) => [name, isFlagOn(name, sources)]));
}

/** The names that these settings say true or false about. */
export function flagsIn(settings: Settings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => (typeof value === 'boolean' ? [name] : []));
}

/** The `features` inside settings: a source of its own. */
export function featuresOf(settings: Settings): Settings {
  const { features } = settings;
  return typeof features === 'object' && features !== null && !Array.isArray(features) ? (features as Settings) : {};
}
