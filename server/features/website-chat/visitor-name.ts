/**
 * The name that a visitor gives, as the desks see it: on one line, and without invisible characters. Those that turn the direction of the
 * text could make what stands beside the name look like a part of it.
 */
export const cleanName = (name: string): string =>
  name
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
