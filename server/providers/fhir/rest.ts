import * as z from 'zod/mini';
import { FhirRefused, FhirSilent, type FhirServer } from './port.ts';
import type { FhirServerSettings } from './settings.ts';

const patienceMs = 20_000;
/** Statuses that are a definite no. After a timeout, a conflict or a failure of theirs nobody can tell. */
const definite = new Set([400, 401, 403, 404, 405, 406, 410, 412, 413, 415, 422, 429]);

const Identifier = z.looseObject({ system: z.optional(z.string()), value: z.optional(z.string()) });
/** FHIR R4 has one; R5 has a list. */
const Identifiers = z.union([Identifier, z.array(Identifier)]);
const SearchResult = z.looseObject({
  resourceType: z.literal('Bundle'),
  entry: z.optional(
    z.array(
      z.looseObject({
        resource: z.optional(z.looseObject({ resourceType: z.string(), identifier: z.optional(Identifiers) })),
      }),
    ),
  ),
});
const PostResult = z.looseObject({ resourceType: z.literal('Bundle'), type: z.string() });

/** A FHIR R4 server over REST. No error contains anything of its answers: they can name a patient. */
export function restFhirServer({ url, token }: FhirServerSettings, waitMs = patienceMs): FhirServer {
  const send = async (address: string, body?: string) => {
    const answer = await fetch(address, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/fhir+json',
        // A search must see what was posted a moment ago.
        'cache-control': 'no-cache',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/fhir+json' }),
      },
      ...(body !== undefined && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(waitMs),
    });
    const json: unknown = await answer.json().catch(() => null);
    return { status: answer.status, ok: answer.ok, json };
  };
  const baseOf = (practice: string) => url.replaceAll('{npi}', practice);

  return {
    name: 'rest',
    async hasResponse(practice, identifier) {
      const query = new URLSearchParams({ identifier, _count: '1' });
      const answer = await send(`${baseOf(practice)}/QuestionnaireResponse?${query}`).catch(() => null);
      if (!answer) throw new FhirRefused('not reached', false);
      const read = z.safeParse(SearchResult, answer.json);
      if (!answer.ok || !read.success) throw new FhirRefused(`status ${answer.status}`, false);
      // A server that does not know the parameter may answer with any response.
      return (read.data.entry ?? []).some(
        ({ resource }) =>
          resource?.resourceType === 'QuestionnaireResponse' &&
          [resource.identifier ?? []].flat().some(({ system, value }) => `${system}|${value}` === identifier),
      );
    },
    async post(practice, bundle) {
      const answer = await send(baseOf(practice), JSON.stringify(bundle)).catch(() => null);
      if (!answer) throw new FhirSilent();
      if (answer.ok && z.safeParse(PostResult, answer.json).success) return;
      if (definite.has(answer.status)) throw new FhirRefused(`status ${answer.status}`, true);
      throw new FhirSilent();
    },
  };
}
