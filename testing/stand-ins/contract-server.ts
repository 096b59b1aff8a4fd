import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Ajv, type ValidateFunction } from 'ajv';
import qs from 'qs';
import { readBody, parseTyped } from './contract-body.ts';
import { resolveReference, strictSchema, type Document, type Schema } from './contract-schema.ts';

/** The folder of the vendors' contracts; without it, the tests that need them are skipped by name and counted. */
export const specsDir = process.env.PROVIDER_SPECS_DIR;

/** A received call, and how it violates the contract. */
export interface ContractCall {
  operation: string;
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  query: Record<string, unknown>;
  body: unknown;
  problems: string[];
}

/** An answer instead of the vendor's example. */
export interface ScriptedAnswer {
  status?: number;
  /** A named example of the contract, or a body; text is sent unchanged. */
  example?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Never answers, or cuts the connection. */
  instead?: 'silence' | 'cut';
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, MediaType> }>;
  security?: Record<string, unknown>[];
}
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}
interface MediaType {
  example?: unknown;
  examples?: Record<string, { $ref?: string; value?: unknown }>;
}

/** The bodies of answers that are neither scripted nor the contract's example; undefined for the example. */
export type Answers = (method: string, path: string) => unknown;

/**
 * A vendor's API on loopback, generated from its OpenAPI document. It checks path, query, form, JSON and multipart strictly (nothing
 * unknown, nothing missing, no wrong type), and answers with the vendor's examples or with the test's scripted answers.
 */
export async function openContractServer(file: string, { answers }: { answers?: Answers } = {}) {
  const document = JSON.parse(readFileSync(join(specsDir ?? '', file), 'utf8')) as Document;
  const options = { strict: false, allErrors: true, logger: false, formats: { email: /^\S+@\S+\.\S+$/ } } as const;
  const ajv = new Ajv(options);
  // A form holds text only, also for numbers that are deep inside.
  const formAjv = new Ajv({ ...options, coerceTypes: true });
  const validators = new Map<Schema, ValidateFunction>();
  const operations = operationsOf(document);
  const calls: ContractCall[] = [];
  const scripts = new Map<string, ScriptedAnswer[]>();

  const problemsOf = (where: string, schema: Schema, given: unknown): string[] => {
    let validate = validators.get(schema);
    const checker = where === 'form' ? formAjv : ajv;
    if (!validate) validators.set(schema, (validate = checker.compile(strictSchema(document, schema))));
    if (validate(given)) return [];
    return (validate.errors ?? []).map((e) => `${where}${e.instancePath}: ${e.message} ${JSON.stringify(e.params)}`);
  };

  async function check(req: IncomingMessage): Promise<{ call: ContractCall; operation: Operation | undefined }> {
    const url = new URL(req.url ?? '', 'http://localhost');
    const raw = await buffer(req);
    const path = url.pathname;
    const found = operations.find(({ method, pattern }) => method === req.method && pattern.test(path));
    const query = qs.parse(url.search.slice(1), { depth: 10 }) as Record<string, unknown>;
    const about = { method: req.method ?? '', path, headers: req.headers, query };
    if (!found)
      return {
        call: { ...about, operation: '', body: null, problems: [`no such path: ${path}`] },
        operation: undefined,
      };

    const { operation, pattern, names } = found;
    const problems: string[] = [];
    const values = pattern.exec(path)?.slice(1).map(decodeURIComponent) ?? [];
    const inPath = Object.fromEntries(names.map((name, i) => [name, values[i]]));
    const ofPath = objectOf(operation, 'path');
    problems.push(...problemsOf('path', ofPath, parseTyped(document, ofPath, inPath)));
    const typedQuery = parseTyped(document, objectOf(operation, 'query'), query);
    problems.push(...problemsOf('query', objectOf(operation, 'query'), typedQuery));
    if (!isAuthorized(schemesOf(document, operation), req.headers.authorization))
      problems.push('header authorization: none');

    const body = await bodyOf(document, operation, req.headers['content-type'], raw, problems, problemsOf);
    return { call: { ...about, operation: operation.operationId, query: typedQuery, body, problems }, operation };
  }

  const server = createServer((req, res) => {
    void check(req).then(({ call, operation }) => {
      calls.push(call);
      const scripted = (scripts.get(`${call.method} ${call.path}`) ?? scripts.get(call.operation))?.shift();
      if (scripted?.instead === 'cut') return req.socket.destroy();
      if (scripted?.instead === 'silence') return undefined;
      if (scripted) return sendAnswer(res, scripted.status ?? 200, bodyOfScript(document, scripted), scripted.headers);
      if (!operation || call.problems.length > 0)
        return sendAnswer(res, 400, { error: { error_name: 'bad_request', error_msg: call.problems.join('; ') } });
      const given = answers?.(call.method, call.path);
      return given === undefined ? answerExample(document, operation, res) : sendAnswer(res, 200, given);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    /** The contract violations of all calls so far. */
    problems: () => calls.flatMap(({ operation, problems }) => problems.map((problem) => `${operation} ${problem}`)),
    /** Scripts the answers to the next calls of an operation (its id, or `POST /path`), in order. */
    answer: (operationId: string, ...next: ScriptedAnswer[]) => void scripts.set(operationId, next),
    example: (name: string) =>
      resolveReference(document, `#/components/examples/${name}`).value as Record<string, unknown>,
    document,
    forget() {
      calls.length = 0;
      scripts.clear();
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
export type ContractServer = Awaited<ReturnType<typeof openContractServer>>;

/** Paths without parameters first, so that `list` is not read as an id. */
function operationsOf(document: Document) {
  const all = Object.entries(document.paths).flatMap(([path, item]) => {
    const { parameters: shared = [], ...rest } = item as Record<string, Operation> & { parameters?: Parameter[] };
    // Twilio's document also names servers and a description beside a path's methods.
    const methods = Object.entries(rest).filter(([key]) => ['get', 'post', 'put', 'patch', 'delete'].includes(key));
    return methods.map(([method, operation]) => ({
      method: method.toUpperCase(),
      operation: withoutReferences(document, operation, shared),
      names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
      pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`),
    }));
  });
  return all.toSorted((one, other) => one.names.length - other.names.length);
}

/** An operation with the parameters of its path. Finix's document refers to parameters, bodies and answers that are written elsewhere. */
function withoutReferences(document: Document, operation: Operation, shared: Parameter[]): Operation {
  const resolved = <T extends object>(part: T): T =>
    '$ref' in part && typeof part.$ref === 'string' ? (resolveReference(document, part.$ref) as T) : part;
  const { parameters = [], requestBody, responses } = operation;
  return {
    ...operation,
    parameters: [...shared, ...parameters].map(resolved),
    ...(requestBody && { requestBody: resolved(requestBody) }),
    responses: Object.fromEntries(Object.entries(responses).map(([status, answer]) => [status, resolved(answer)])),
  };
}

const objects = new WeakMap<Operation, Record<string, Schema>>();

/** The parameters of the path or query as one object. */
function objectOf(operation: Operation, place: 'path' | 'query'): Schema {
  const made = objects.get(operation) ?? {};
  objects.set(operation, made);
  const parameters = (operation.parameters ?? []).filter((one) => one.in === place);
  return (made[place] ??= {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  });
}

/** How an operation may be authorized: `basic`, `bearer`. Whatever the document does not describe is basic. */
function schemesOf(document: Document & { security?: Operation['security'] }, operation: Operation): Set<string> {
  const named = (operation.security ?? document.security ?? []).flatMap((one) => Object.keys(one));
  const schemes = named.map((name) => document.components.securitySchemes?.[name] as SecurityScheme | undefined);
  const kinds = schemes.map((one) => (one?.type === 'oauth2' ? 'bearer' : (one?.scheme ?? 'basic')));
  return new Set(kinds.length > 0 ? kinds : ['basic']);
}

interface SecurityScheme {
  type?: string;
  scheme?: string;
}

function isAuthorized(schemes: Set<string>, header = ''): boolean {
  if (schemes.has('bearer') && /^Bearer \S+$/.test(header)) return true;
  if (!schemes.has('basic')) return false;
  const [, pair = ''] = /^Basic ([A-Za-z0-9+/=]+)$/.exec(header) ?? [];
  return /^[^:]+:/.test(Buffer.from(pair, 'base64').toString());
}

async function bodyOf(
  document: Document,
  { requestBody }: Operation,
  contentType = '',
  raw: Buffer,
  problems: string[],
  problemsOf: (where: string, schema: Schema, given: unknown) => string[],
): Promise<unknown> {
  const kind = contentType.split(';')[0]?.trim() ?? '';
  if (!requestBody) {
    if (raw.length > 0) problems.push('body: there is none in the contract');
    return null;
  }
  if (raw.length === 0 && !requestBody.required) return null;
  const schema = requestBody.content[kind]?.schema;
  if (!schema) {
    problems.push(`body: no ${kind || 'content type'} in the contract`);
    return null;
  }
  const body = await readBody(document, schema, kind, contentType, raw).catch((error: Error) => error);
  if (body instanceof Error) {
    problems.push(`body: ${body.message}`);
    return null;
  }
  problems.push(...problemsOf(kind.endsWith('urlencoded') ? 'form' : 'body', schema, body));
  return body;
}

function bodyOfScript(document: Document, { example, body }: ScriptedAnswer): unknown {
  return example === undefined ? body : resolveReference(document, `#/components/examples/${example}`).value;
}

function answerExample(document: Document, { responses }: Operation, res: ServerResponse): void {
  const status = responses['200'] ? 200 : 201;
  const content = responses[status]?.content ?? {};
  const json = content['application/json'] ?? content['application/hal+json'];
  if (json?.example !== undefined) return sendAnswer(res, status, json.example);
  if (json?.examples) {
    const [first] = Object.values(json.examples);
    return sendAnswer(res, status, first?.$ref ? resolveReference(document, first.$ref).value : first?.value);
  }
  if (content['application/pdf'])
    return sendAnswer(res, 200, '%PDF-1.7\n%%EOF\n', { 'content-type': 'application/pdf' });
  return sendAnswer(res, status, '');
}

function sendAnswer(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const isText = typeof body === 'string';
  res.writeHead(status, { ...(!isText && { 'content-type': 'application/json' }), ...headers });
  res.end(isText ? body : JSON.stringify(body ?? null));
}
