import type { FastifyLoggerOptions } from 'fastify';
import type { PinoLoggerOptions } from 'fastify/types/logger.js';
import type { Env } from '#server/env.ts';
import { logLineContext } from './log-context.ts';

/**
 * Logs contain ids only: requests by route pattern (a URL can contain a token), errors by name, code and position in our code. A PostgreSQL
 * error message can quote a row, so only its code and constraint are logged. Each line carries its request's id or its job's name,
 * and the trace's id where traces are wanted.
 */
export function loggerOptions(env: Pick<Env, 'logLevel'>): FastifyLoggerOptions & PinoLoggerOptions {
  return {
    level: env.logLevel,
    mixin: logLineContext,
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

/** The parts of an error that cannot contain patient data. */
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
