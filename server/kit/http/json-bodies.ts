import type { FastifyInstance, RouteOptions } from 'fastify';
import { contextFor } from './request-context.ts';
import { paceByBytes } from './pace-requests.ts';
import { Refusal } from './refusal.ts';

/** No body of ours comes near it: a questionnaire is sent as text. */
const maxLevels = 50;
/** Enough for the list of 2,000 files to download, and for a text to 10,000 numbers. */
const maxValues = 25_000;

/**
 * Reads JSON bodies. A deeply nested body, or one with very many values, is refused by its text: parsing 1.4 MB of small values takes 200
 * ms of the main thread. An unknown path reads no body.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (req, body, done) => {
    const flaw = flawOf(body as string);
    if (flaw) done(new Refusal(flaw));
    else void parse(req, body as string, done);
  });
  app.addHook('onRequest', async (req, reply) => {
    if (!req.is404 || req.method === 'GET' || req.method === 'HEAD') return;
    // Close, so that the rest of the body is not received.
    reply.header('connection', 'close');
    reply.raw.once('finish', () => req.raw.complete || req.raw.destroy());
    throw new Refusal('not_found');
  });
}

/** For a staff route with a larger limit: reads nothing from a caller who is not signed in, and about one body a second per network. */
export function largeJson(bodyLimit: number): Pick<RouteOptions, 'bodyLimit' | 'onRequest'> {
  const pace = paceByBytes({
    bytesPerSecond: 1_000_000,
    burstBytes: 3_000_000,
    leastBytes: 10_000,
    mostBytes: bodyLimit,
  });
  return {
    bodyLimit,
    onRequest: [async (req, reply) => void (await contextFor(req.server.services, 'office', req, reply)), pace],
  };
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Counts the levels and values of JSON text without parsing it. Brackets and commas inside strings do not count. */
function flawOf(json: string): 'nested_too_deep' | 'too_large' | null {
  let levels = 0;
  let values = 1;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === quote) i = endOfText(json, i);
    else if (code === comma) values += 1;
    // [ and {, then ] and }
    else if (code === 0x5b || code === 0x7b) levels += 1;
    else if (code === 0x5d || code === 0x7d) levels -= 1;
    if (levels > maxLevels) return 'nested_too_deep';
    if (values > maxValues) return 'too_large';
  }
  return null;
}

/** The end of the string that begins at `start`: its closing quote, or the end of the body. */
function endOfText(json: string, start: number): number {
  let end = start + 1;
  for (; end < json.length; end++) {
    const code = json.charCodeAt(end);
    if (code === backslash) end += 1;
    else if (code === quote) break;
  }
  return end;
}
