import { ResultTooLarge } from '#questionnaire/expressions/expression-limits.ts';

/** What extracting a form may become, as JSON. */
const mostExtractedBytes = 5_000_000;
/** What any other task may return: several times what the largest form and its answers take. */
const mostBytes = 30_000_000;

/** The JSON of a value. Throws `ResultTooLarge` before it is longer than the server should read. */
export function jsonWithinSizeLimit(value: unknown): string {
  let size = 0;
  const json = JSON.stringify(value, (key, inner: unknown) => {
    size += key.length + (typeof inner === 'string' ? inner.length : 4);
    if (size > mostExtractedBytes) throw new ResultTooLarge();
    return inner;
  });
  if (Buffer.byteLength(json) > mostExtractedBytes) throw new ResultTooLarge();
  return json;
}

/** The value, if it is small enough to be sent to the server; throws `ResultTooLarge`. An object that it contains twice is sent once. */
export function withinSizeLimit<T>(value: T): T {
  const seen = new Set<object>();
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0) {
    const one = open.pop();
    size += typeof one === 'string' ? one.length : 8;
    if (size > mostBytes) throw new ResultTooLarge();
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    if (one instanceof Map || one instanceof Set) open.push(...one);
    else for (const [name, inner] of Object.entries(one)) open.push(name, inner);
  }
  return value;
}
