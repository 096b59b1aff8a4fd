export interface ForbiddenName {
  line: number;
  name: string;
  reason: string;
}

/** Irregular participles. `read`, `run`, `set` and `cut` are left out: they are also what a function does. */
const participles = new Set(
  (
    'given told said kept taken found known asked made done sent shown seen held heard gone left lost met paid put written ' +
    'begun bought brought built caught chosen come drawn driven felt got gotten had hidden led lent meant sold spent split ' +
    'stood thought thrown won worn bound broken forgotten'
  ).split(' '),
);
const nouns = new Set(['feed', 'need', 'seed', 'speed']);

/** Words that had several meanings, and what to write instead. */
const dropped = new Map([
  ['house', 'write app, system or practice'],
  ['door', 'write entry point or sign-in method'],
  ['seal', 'write chain, encrypt or sign'],
  ['sealed', 'write chained, encrypted or signed'],
  ['paper', 'write PDF'],
]);

const declaration =
  /^\s*(?<exported>export )?(?:default )?(?:async )?(?<kind>type|interface|class|enum|function\*?|const|let) (?<name>\w+)\b(?<rest>.*)$/;

/** The names declared in a file that the glossary forbids. Fields are not looked at: many are stored or published. */
export function forbiddenNames(source: string): ForbiddenName[] {
  return source.split('\n').flatMap((text, i) => {
    const { exported, kind = '', name = '', rest = '' } = declaration.exec(text)?.groups ?? {};
    const reason =
      dropped.get(name.toLowerCase()) ??
      (isParticiple(name) && isTypeOrFunction({ isExported: exported !== undefined, kind, name, rest })
        ? 'a participle: name a type by a noun and a function by a verb'
        : undefined);
    return reason === undefined ? [] : [{ line: i + 1, name, reason }];
  });
}

function isParticiple(name: string): boolean {
  const lower = name.toLowerCase();
  return participles.has(lower) || (/^[A-Za-z][a-z]+ed$/.test(name) && !nouns.has(lower));
}

interface Declaration {
  isExported: boolean;
  kind: string;
  name: string;
  /** The rest of its line. */
  rest: string;
}

/** A zod schema is a type too. A value inside a function may be named by a participle: `const found = …`. */
function isTypeOrFunction({ isExported, kind, name, rest }: Declaration): boolean {
  if (kind !== 'const' && kind !== 'let') return true;
  return /^[A-Z][a-z]/.test(name) || (isExported && rest.includes('=>'));
}
