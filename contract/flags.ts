/**
 * Flags: named switches, off by default.
 *
 * layer: settings by name. Its own properties that are true or false are flags; everything else in it is ignored.
 */

/** Stored settings; they can contain anything. */
export type Settings = Readonly<Record<string, unknown>>;

/** The layers that can set a flag, highest precedence first: the user's settings, the visible doctor's, features, global settings. */
export interface FlagLayers {
  user: Settings;
  visibleDoctor: Settings;
  /** The practice's features: the office's own settings over the installation's. */
  features: Settings;
  global: Settings;
}

export const lookupOrder = [
  'user',
  'visibleDoctor',
  'features',
  'global',
] as const satisfies readonly (keyof FlagLayers)[];

/** Whether this flag is on: the first layer with true or false decides. Off if no layer has it. */
export function isFlagOn(name: string, layers: FlagLayers): boolean {
  const deciding = lookupOrder.find((layer) => says(layers[layer], name) !== undefined);
  return deciding !== undefined && says(layers[deciding], name) === true;
}

/** Every flag that any layer names, with its value from `isFlagOn`. */
export function flagsOf(layers: FlagLayers): Record<string, boolean> {
  const names = new Set(lookupOrder.flatMap((layer) => flagsIn(layers[layer])));
  return Object.fromEntries([...names].sort().map((name) => [name, isFlagOn(name, layers)]));
}

/** The names these settings set to true or false. */
export function flagsIn(settings: Settings): string[] {
  return Object.keys(settings).filter((name) => says(settings, name) !== undefined);
}

function says(settings: Settings, name: string): boolean | undefined {
  const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return typeof value === 'boolean' ? value : undefined;
}
