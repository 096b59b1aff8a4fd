/**
 * Flags: named switches, off by default.
 *
 * layer: settings by name; a flag in it is a true or false of its own, everything else in it is ignored.
 */

/** Settings as they are kept: anything may be in them. */
export type Settings = Readonly<Record<string, unknown>>;

/** Where a flag may be set, the first that has it wins: the user's own settings, then the visible doctor's, then features, then global settings. */
export interface FlagLayers {
  user: Settings;
  visibleDoctor: Settings;
  /** What the practice has: the office's own settings over the installation's features. */
  features: Settings;
  global: Settings;
}

const lookupOrder = ['user', 'visibleDoctor', 'features', 'global'] as const satisfies readonly (keyof FlagLayers)[];

/** Is this flag on? The first layer that says true or false decides; none: off. */
export function isFlagOn(name: string, layers: FlagLayers): boolean {
  const deciding = lookupOrder.find((layer) => says(layers[layer], name) !== undefined);
  return deciding !== undefined && says(layers[deciding], name) === true;
}

/** Every flag that any layer names, as `isFlagOn` finds it. */
export function flagsOf(layers: FlagLayers): Record<string, boolean> {
  const names = new Set(lookupOrder.flatMap((layer) => flagsIn(layers[layer])));
  return Object.fromEntries([...names].sort().map((name) => [name, isFlagOn(name, layers)]));
}

/** The names that these settings say true or false about. */
export function flagsIn(settings: Settings): string[] {
  return Object.keys(settings).filter((name) => says(settings, name) !== undefined);
}

function says(settings: Settings, name: string): boolean | undefined {
  const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return typeof value === 'boolean' ? value : undefined;
}
