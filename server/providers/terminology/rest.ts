import * as z from 'zod/mini';
import { NoList, type ExpandCall, type ListedConcept } from './port.ts';
import type { TerminologySettings } from './settings.ts';

const patienceMs = 8_000;
/** An answer is read until it is larger than this. */
const largestAnswer = 4_000_000;
/** A phone offers no longer list (`limits.options` of the questionnaire). */
const mostConcepts = 5_000;
/** Definite answers about this value set. Anything else may be different in a minute. */
const definite = new Set([400, 404, 405, 406, 410, 413, 422, 501]);

const word = z.string().check(z.minLength(1), z.maxLength(1_000));
const Extension = z.looseObject({ url: z.optional(z.string()), valueDecimal: z.optional(z.number()) });
const Concept = z.looseObject({
  system: z.optional(word),
  code: z.optional(word),
  display: z.optional(word),
  abstract: z.optional(z.boolean()),
  inactive: z.optional(z.boolean()),
  designation: z.optional(z.array(z.looseObject({ language: z.optional(word), value: z.optional(z.string()) }))),
  extension: z.optional(z.array(Extension)),
  contains: z.optional(z.array(z.unknown())),
});
type Concept = z.output<typeof Concept>;
const ExpandedValueSet = z.looseObject({
  resourceType: z.literal('ValueSet'),
  expansion: z.looseObject({
    total: z.optional(z.number()),
    extension: z.optional(z.array(z.looseObject({ url: z.optional(z.string()) }))),
    contains: z.array(z.unknown()),
  }),
});

const fhir = 'http://hl7.org/fhir/StructureDefinition/';
/** A server marks an expansion that is only a part of the value set. */
const marksOfParts = [`${fhir}valueset-toocostly`, `${fhir}valueset-unclosed`];
const weights = [`${fhir}ordinalValue`, `${fhir}itemWeight`];

/** A FHIR R4 terminology server over REST: `ValueSet/$expand`. All of a value set or nothing: half a list would mislead. */
export function restTerminology({ url, token }: TerminologySettings, waitMs = patienceMs): ExpandCall {
  return async (reference) => {
    const [set = '', version] = reference.split('|');
    const query = new URLSearchParams({
      url: set,
      ...(version && { valueSetVersion: version }),
      // One more than fits, so that a list that is too long shows.
      count: String(mostConcepts + 1),
      includeDesignations: 'true',
      activeOnly: 'true',
    });
    const signal = AbortSignal.timeout(waitMs);
    const answer = await fetch(`${url}/ValueSet/$expand?${query}`, {
      headers: { accept: 'application/fhir+json', ...(token && { authorization: `Bearer ${token}` }) },
      redirect: 'error',
      signal,
    }).catch(() => {
      throw new NoList('not reached');
    });
    if (!answer.ok) {
      await answer.body?.cancel().catch(() => undefined);
      throw new NoList(definite.has(answer.status) ? 'not listed' : 'not reached');
    }
    return readExpansion(await boundedText(answer));
  };
}

async function boundedText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    // Leaving the loop cancels the rest of the answer.
    for await (const chunk of answer.body ?? []) {
      bytes += (chunk as Uint8Array).byteLength;
      if (bytes > largestAnswer) throw new NoList('not listed');
      chunks.push(chunk as Uint8Array);
    }
  } catch (error) {
    throw error instanceof NoList ? error : new NoList('not reached');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readExpansion(text: string): ListedConcept[] {
  const read = z.safeParse(ExpandedValueSet, parseJson(text));
  if (!read.success) throw new NoList('not listed');
  const { total, extension = [], contains } = read.data.expansion;
  const listed = flat(contains);
  const isPart = extension.some((one) => marksOfParts.includes(one.url ?? ''));
  if (isPart || listed.all < (total ?? 0) || listed.concepts.length === 0) throw new NoList('not listed');
  return listed.concepts;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The concepts of a tree in its order, without those that only head others or are no longer used; and how many there are in all. */
function flat(contains: readonly unknown[]): { concepts: ListedConcept[]; all: number } {
  const concepts: ListedConcept[] = [];
  let all = 0;
  const rest = contains.toReversed();
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const read = z.safeParse(Concept, next);
    if (!read.success || ++all > mostConcepts) throw new NoList('not listed');
    const { abstract = false, inactive = false, contains: below = [], ...concept } = read.data;
    if (!abstract && !inactive && concept.code !== undefined) concepts.push(toListed(concept, concept.code));
    for (const one of below.toReversed()) rest.push(one);
  }
  return { concepts, all };
}

/** Only what a form uses: servers send more, and each phone would load it. */
function toListed(
  {
    system,
    display,
    designation = [],
    extension = [],
  }: Pick<Concept, 'system' | 'display' | 'designation' | 'extension'>,
  code: string,
): ListedConcept {
  const translations = designation.flatMap(({ language, value }) =>
    language !== undefined && /^es\b/.test(language) && value ? [{ language, value: value.slice(0, 1_000) }] : [],
  );
  const counted = extension.flatMap(({ url, valueDecimal }) =>
    url !== undefined && valueDecimal !== undefined && weights.includes(url) ? [{ url, valueDecimal }] : [],
  );
  return {
    ...(system !== undefined && { system }),
    code,
    ...(display !== undefined && { display }),
    ...(translations.length > 0 && { designation: translations.slice(0, 1) }),
    ...(counted.length > 0 && { extension: counted }),
  };
}
