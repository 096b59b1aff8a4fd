import { itemTypes } from '#questionnaire/questionnaire.ts';

const junk: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => 'true',
  () => '',
  () => ' ',
  () => 'x'.repeat(500),
  () => '\u0000\ud800',
  () => '__proto__',
  () => -1,
  () => 0.1,
  () => 1e308,
  () => 9e15,
  () => [],
  () => [null],
  () => [[[[]]]],
  () => ({}),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":7}') as unknown,
  () => ({ linkId: 'a', type: 'group', item: [{ linkId: 'a' }] }),
  () => '(a+)+$',
  () => '2026-02-30',
  () => [...itemTypes],
];

/** One field of the copy, with the object or list that has it. */
interface CopiedField {
  holder: Record<string, unknown>;
  field: string;
}

/** Copies JSON, and notes each field of the copy: in one go, a fifth of the time of structuredClone and a walk. */
function copyNoting(fields: CopiedField[], value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy = (Array.isArray(value) ? [] : {}) as Record<string, unknown>;
  for (const [field, inner] of Object.entries(value)) {
    fields.push({ holder: copy, field });
    copy[field] = copyNoting(fields, inner);
  }
  return copy;
}

/** A copy of the input with a few errors: parts missing, duplicated, swapped, renamed, or junk. */
export function damageQuestionnaire(input: unknown, chance: () => number): unknown {
  const fields: CopiedField[] = [];
  const copy = copyNoting(fields, input);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const times = 1 + Math.floor(chance() * 4);
  for (let i = 0; i < times && fields.length > 0; i++) {
    const { holder, field } = pick(fields);
    const other = pick(fields);
    switch (Math.floor(chance() * 6)) {
      case 0:
        delete holder[field];
        break;
      case 1:
        holder[field] = structuredClone(other.holder[other.field]);
        break;
      case 2:
        if (Array.isArray(holder[field]))
          holder[field] = [...holder[field], ...(structuredClone(holder[field]) as unknown[])];
        else holder[field] = [structuredClone(holder[field])];
        break;
      case 3:
        holder[other.field] = holder[field];
        break;
      default:
        holder[field] = pick(junk)();
    }
  }
  return copy;
}
