import type { FastifyInstance } from 'fastify';
import { Refusal } from './refusal.ts';

/** No body of ours comes near it: a questionnaire travels as text. */
const mostLevels = 50;

/** Refuses a JSON body nested so deeply that a recursive reader would run out of stack, before anything reads it. */
export function limitNesting(app: FastifyInstance): void {
  app.addHook('preValidation', async (req) => {
    if (isNestedTooDeep(req.body)) throw new Refusal('nested_too_deep');
  });
}

/** Looks level by level, without recursion. */
export function isNestedTooDeep(body: unknown): boolean {
  if (!isPlain(body)) return false;
  let level: object[] = [body];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > mostLevels) return true;
    const next: object[] = [];
    for (const one of level) for (const value of Object.values(one) as unknown[]) if (isPlain(value)) next.push(value);
    level = next;
  }
  return false;
}

/** What JSON makes; not the stream of an upload. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
