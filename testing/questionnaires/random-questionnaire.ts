import { createSeededRandom } from '#db/seed/seeded-random.ts';
import { itemTypes, operators, type EnableWhen, type Item, type Questionnaire } from '#questionnaire/questionnaire.ts';
import { codes, questionnaire, whole } from '#questionnaire/test-builders.ts';

/** A random questionnaire: nested groups, follow-ups and repetitions, with conditions on any earlier item. */
export function randomQuestionnaire(seed: number): Questionnaire {
  const chance = createSeededRandom(seed);
  const upTo = (most: number) => Math.floor(chance() * most);
  const asked: { linkId: string; type: string }[] = [];

  function items(count: number, level: number): Item[] {
    return Array.from({ length: count }, () => item(level));
  }

  function item(level: number): Item {
    const type = itemTypes[upTo(itemTypes.length)] ?? 'string';
    const linkId = `${['q', '/54126-8/', 'a#', 'ñ.', '1##2#'][upTo(5)]}${asked.length}`;
    const conditions = asked.length > 0 && chance() < 0.3 ? Array.from({ length: 1 + upTo(2) }, condition) : [];
    const made: Item = {
      linkId,
      type,
      text: `Item ${linkId}`,
      ...(chance() < 0.4 && type !== 'display' && { required: true }),
      ...(chance() < 0.3 && type !== 'display' && { repeats: true }),
      ...(conditions.length > 0 && { enableWhen: conditions, enableBehavior: chance() < 0.5 ? 'any' : 'all' }),
      ...(type.endsWith('choice') && { answerOption: codes('Yes', 'No', 'Maybe', 'Never') }),
      ...(chance() < 0.1 && { extension: [whole('questionnaire-maxOccurs', 3)] }),
      ...(chance() < 0.2 && type === 'boolean' && { initial: [{ valueBoolean: true }] }),
    };
    asked.push({ linkId, type });
    const inside = type === 'group' ? 1 + upTo(3) : type !== 'display' && chance() < 0.25 ? 1 + upTo(2) : 0;
    return level < 4 && inside > 0 ? { ...made, item: items(inside, level + 1) } : made;
  }

  function condition(): EnableWhen {
    const { linkId: question, type } = asked[upTo(asked.length)] as (typeof asked)[number];
    if (type === 'boolean') return { question, operator: '=', answerBoolean: chance() < 0.5 };
    if (type === 'integer') return { question, operator: operators[1 + upTo(6)] ?? '=', answerInteger: upTo(200) };
    return { question, operator: 'exists', answerBoolean: chance() < 0.7 };
  }

  return questionnaire(`chance-${seed}`, 'Chance', items(4 + upTo(8), 0));
}
