import { isKnownType, isList } from './lists.ts';

/** The part of the library's model of FHIR R4 that is used. */
export interface Model {
  path2Type: Readonly<Record<string, string>>;
  type2Parent: Readonly<Record<string, string>>;
  choiceTypePaths: Readonly<Record<string, readonly string[]>>;
  pathsDefinedElsewhere: Readonly<Record<string, string>>;
}

/** An element of a type. */
export interface Element {
  /** Its name in JSON, without the type of a choice. */
  name: string;
  type: string;
  isList: boolean;
  /** The types it may have, if it has several. */
  choices: readonly string[];
  /** Where its own elements are defined: in its type, or below its own path. */
  below: { type: string; path: string };
}

/** An element by its name, below a type (`path` is empty) or below a backbone element of it; undefined if there is none. */
export function elementOf(model: Model, { type, path }: Element['below'], name: string): Element | undefined {
  const inside = path === '' ? name : `${path}.${name}`;
  const bare = inside.replace(/\[x\]$/, '');
  const isChoice = model.choiceTypePaths[`${type}.${bare}`];
  const typed = choiceNamed(model, type, inside);
  const known = inheritedType(model, type, inside);
  const found = isChoice ? '' : (known ?? typed);
  if (found === undefined) return undefined;
  const isBackbone = found === 'BackboneElement' || found === 'Element';
  return {
    name: name.replace(/\[x\]$/, ''),
    type: found,
    isList: isList(type, bare),
    choices: isChoice ?? [],
    below: isBackbone ? { type, path: inside } : { type: found, path: '' },
  };
}

function inheritedType(model: Model, type: string, path: string): string | undefined {
  for (let owner: string | undefined = type; owner; owner = model.type2Parent[owner]) {
    const found = model.path2Type[model.pathsDefinedElsewhere[`${owner}.${path}`] ?? `${owner}.${path}`];
    if (found) return found === 'System.String' ? 'string' : found;
  }
  return undefined;
}

/** `valueQuantity` of a choice `value`. */
function choiceNamed({ choiceTypePaths }: Model, type: string, path: string): string | undefined {
  for (const [choice, types] of Object.entries(choiceTypePaths)) {
    if (!choice.startsWith(`${type}.`)) continue;
    const found = types.find((one) => `${choice}${one}` === `${type}.${path}`);
    if (found) return isKnownType(found) ? found : found.charAt(0).toLowerCase() + found.slice(1);
  }
  return undefined;
}
