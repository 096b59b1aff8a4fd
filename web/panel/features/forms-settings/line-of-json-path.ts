/** The line, from 1, on which the value at a path (`item[2].text`) begins in a JSON file, or its nearest parent if there is none. */
export function lineOfJsonPath(text: string, path: string): number | undefined {
  let at = rootOf(text);
  if (at === undefined) return undefined;
  for (const step of stepsOf(path)) {
    const next = enter(text, at, step);
    if (next === undefined) break;
    at = next;
  }
  return text.slice(0, at).split('\n').length;
}

type Step = string | number;

const stepsOf = (path: string): Step[] =>
  [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));

/** Where the questionnaire begins; in a bundle it is one of the entries. */
function rootOf(text: string): number | undefined {
  const root = blanks(text, 0);
  if (text[root] !== '{') return undefined;
  if (!saysType(text, root, 'Bundle')) return root;
  for (let i = 0; ; i++) {
    const entries = enter(text, root, 'entry');
    const entry = entries === undefined ? undefined : enter(text, entries, i);
    if (entry === undefined) return root;
    const resource = enter(text, entry, 'resource');
    if (resource !== undefined && saysType(text, resource, 'Questionnaire')) return resource;
  }
}

function saysType(text: string, at: number, type: string): boolean {
  const value = enter(text, at, 'resourceType');
  return value !== undefined && text.startsWith(`"${type}"`, value);
}

/** Where the value of a field, or an entry of a list, begins. */
function enter(text: string, at: number, step: Step): number | undefined {
  const isList = text[at] === '[';
  // A single value in place of a list is read as a list of one.
  if (typeof step === 'number' && !isList) return step === 0 && text[at] === '{' ? at : undefined;
  if (!isList && text[at] !== '{') return undefined;
  let here = blanks(text, at + 1);
  for (let i = 0; here < text.length && text[here] !== ']' && text[here] !== '}'; i++) {
    let isIt = i === step;
    if (!isList) {
      const end = past(text, here);
      isIt = text.slice(here + 1, end - 1) === step;
      here = blanks(text, blanks(text, end) + 1);
    }
    if (isIt) return here;
    here = blanks(text, past(text, here));
    if (text[here] === ',') here = blanks(text, here + 1);
  }
  return undefined;
}

const blanks = (text: string, at: number): number => {
  let here = at;
  while (here < text.length && /[\s\uFEFF]/.test(text.charAt(here))) here++;
  return here;
};

/** The position after the value that begins here. */
function past(text: string, at: number): number {
  let here = at;
  let depth = 0;
  do {
    const char = text[here];
    if (char === '"') {
      here++;
      while (here < text.length && text[here] !== '"') here += text[here] === '\\' ? 2 : 1;
    } else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    here++;
    if (depth === 0 && (char === '"' || char === '}' || char === ']')) return here;
  } while (here < text.length && (depth > 0 || !/[\s,\]}]/.test(text.charAt(here))));
  return here;
}
