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

/** A copy of the input with a few errors: parts missing, duplicated, swapped, renamed, or junk. */
export function damageQuestionnaire(input: unknown, chance: () => number): unknown {
  const copy = structuredClone(input);
  const places: { holder: Record<string, unknown>; field: string }[] = [];
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [field, inner] of Object.entries(value)) {
      places.push({ holder: value as Record<string, unknown>, field });
      walk(inner);
    }
  };
  walk(copy);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const times = 1 + Math.floor(chance() * 4);
  for (let i = 0; i < times && places.length > 0; i++) {
    const { holder, field } = pick(places);
    const other = pick(places);
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
