import type { FastifyServerOptions } from 'fastify';
import type { Env } from '#server/env.ts';

/**
 * Logs hold ids only: requests by route pattern (an address can hold a token), errors by name, code and place in our code.
 * A message of PostgreSQL can quote a row, so of its errors only the code and constraint are kept.
 */
export function loggerOptions(env: Pick<Env, 'logLevel'>): FastifyServerOptions['logger'] {
  return {
    level: env.logLevel,
    serializers: {
      req: (req: { id?: string; method?: string; routeOptions?: { url?: string } }) => ({
        id: req.id,
        method: req.method,
        route: req.routeOptions?.url,
      }),
      res: (res: { statusCode?: number }) => ({ status: res.statusCode }),
      err: describeError,
    },
  };
}

/** What may be known of an error without knowing a patient. */
export function describeError(
  error: Error & { code?: string; constraint?: string; table?: string; severity?: string },
) {
  const fromDatabase = error.severity !== undefined || /^[0-9A-Z]{5}$/.test(error.code ?? '');
  return {
    type: error.name,
    code: error.code,
    constraint: error.constraint,
    table: error.table,
    message: fromDatabase
      ? 'database error'
      : error.name === 'ZodError' || error.name === '$ZodError'
        ? 'a reply broke its contract'
        : '',
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => line.startsWith('    at '))
      .join('\n'),
  };
}
