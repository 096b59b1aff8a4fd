import * as z from 'zod/mini';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { isEndpoint, isForVisitors, type Access, type Endpoint } from './endpoint.ts';
import * as contract from './index.ts';
import { problemType, refusals, type RefusalCode } from './refusals.ts';

const shared: Record<Access, readonly RefusalCode[]> = {
  anyone: [],
  person: ['not_signed_in', 'session_locked'],
  office: [
    'not_signed_in',
    'session_locked',
    'no_office',
    'agreement_missing',
    'authenticator_missing',
    'office_not_found',
  ],
  visit: ['visit_link_ended'],
  episode: ['episode_link_ended'],
  visitor: ['chat_ended', 'chat_blocked'],
};

const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  current: z.optional(z.unknown()),
  requestId: z.optional(z.string()),
});

/** A file among the fields of `multipart/form-data`. */
const FilePart = z.string().register(z.globalRegistry, { format: 'binary' });

const bytes = { type: 'string', format: 'binary' } as const;
/** A file that is JSON is an object to whoever reads it. */
const fileOf = (type: string) => (type.endsWith('json') ? ({ type: 'object' } as const) : bytes);

/** Every refusal this endpoint can answer with. */
function refusalsOf(e: Endpoint<unknown, unknown, unknown, unknown>): RefusalCode[] {
  return [
    ...new Set<RefusalCode>([
      'invalid_input',
      ...shared[e.access],
      ...(isForVisitors(e) ? (['too_many_tries'] as const) : []),
      ...(e.refusals ?? []),
      ...(e.params ? (['not_found'] as const) : []),
      ...(e.method === 'GET' ? [] : (['wrong_origin'] as const)),
      ...(e.body ? (['nested_too_deep', 'too_large', 'not_json'] as const) : []),
      ...(e.takes ? (['not_json'] as const) : []),
      ...(e.creates ? (['key_reused'] as const) : []),
      'overloaded',
    ]),
  ];
}

/** All endpoints of the contract by operationId, grouped by feature. */
export function allEndpoints(): {
  feature: string;
  operationId: string;
  endpoint: Endpoint<unknown, unknown, unknown, unknown>;
}[] {
  return Object.entries(contract).flatMap(([feature, group]) =>
    Object.entries(group).flatMap(([operationId, endpoint]) =>
      isEndpoint(endpoint) ? [{ feature, operationId, endpoint }] : [],
    ),
  );
}

/** The contract as an OpenAPI 3.1 document. */
export function openapi(productName: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const { feature, operationId, endpoint: e } of allEndpoints()) {
    const path = `/api${e.path}`.replace(/:(\w+)/g, '{$1}');
    const item = (paths[path] ??= {});
    (item as Record<string, ZodOpenApiOperationObject>)[e.method.toLowerCase()] = operationOf(feature, operationId, e);
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: productName,
      version: '1',
      description: 'Errors are problem details (RFC 9457) with a stable `type`.',
    },
    paths,
    components: {
      schemas: { Problem },
      responses: refusalResponses(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        panel: { type: 'apiKey', in: 'cookie', name: '__Host-anteroom' },
        visitor: { type: 'http', scheme: 'bearer', description: "The token of a website visitor's chat" },
      },
    },
  });
}

/** The refusals of an endpoint by HTTP status. */
const refusalsByStatus = (e: Endpoint<unknown, unknown, unknown, unknown>) =>
  Map.groupBy(refusalsOf(e), (code) => refusals[code].status);

/** The component's name: the codes that share one status, in the order of `refusalsOf`. */
const responseName = (codes: readonly RefusalCode[]) => codes.join('.');

/** Each refusal response once, as a component. Repeating them in every operation doubled the document's size. */
function refusalResponses(): Record<string, ZodOpenApiResponseObject> {
  const lists = allEndpoints().flatMap(({ endpoint }) => [...refusalsByStatus(endpoint).values()]);
  return Object.fromEntries(
    lists.map((codes) => [
      responseName(codes),
      {
        description: codes.map((code) => `\`${problemType(code)}\` ${refusals[code].en}`).join('\n\n'),
        content: { 'application/problem+json': { schema: Problem } },
      },
    ]),
  );
}

/** The same call with a file. */
const multipartOf = ({ multipart }: Endpoint<unknown, unknown, unknown, unknown>) =>
  multipart && {
    'multipart/form-data': { schema: z.extend(multipart, { attachment: z.optional(FilePart) }) },
  };

function operationOf(
  feature: string,
  operationId: string,
  e: Endpoint<unknown, unknown, unknown, unknown>,
): ZodOpenApiOperationObject {
  const problems = [...refusalsByStatus(e)].map(([status, codes]) => [
    status,
    { $ref: `#/components/responses/${responseName(codes)}` },
  ]);
  return {
    tags: [feature],
    operationId,
    summary: e.summary,
    requestParams: {
      ...(e.params && { path: e.params as never }),
      ...(e.query && { query: e.query as never }),
      ...(e.etag && { header: z.object({ 'If-None-Match': z.optional(z.string()) }) }),
      ...(e.creates && { header: z.object({ 'Idempotency-Key': z.optional(z.string().check(z.maxLength(200))) }) }),
    },
    ...(e.body && { requestBody: { content: { 'application/json': { schema: e.body }, ...multipartOf(e) } } }),
    ...(e.takes && { requestBody: { content: Object.fromEntries(e.takes.map((type) => [type, { schema: bytes }])) } }),
    responses: {
      '200': {
        description: 'Success',
        content: e.gives ? { [e.gives]: { schema: fileOf(e.gives) } } : { 'application/json': { schema: e.reply } },
      },
      ...(e.etag && { '304': { description: 'Unchanged' } }),
      ...Object.fromEntries(problems),
    },
    ...((e.access === 'office' || e.access === 'person') && { security: [{ bearer: [] }, { panel: [] }] }),
    ...(e.access === 'visitor' && { security: [{ visitor: [] }] }),
  };
}
