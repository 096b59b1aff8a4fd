import { globSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The catalogs that one app loads part by part: the texts of a later part replace those of an earlier one with the same English. */
const apps = { phone: ['web/phone/**/es.po', 'web/questionnaire/**/es.po'], widget: ['web/widget/**/es.po'] };

test.each(Object.entries(apps))(
  'a text of the %s is the same in each of its Spanish catalogs',
  async (_app, patterns) => {
    const found = new Map<string, Set<string>>();
    const files = patterns.flatMap((pattern) => globSync(pattern));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const { messages } = (await import(`../../${file}`)) as { messages: Record<string, unknown> };
      for (const [id, text] of Object.entries(messages))
        found.set(id, (found.get(id) ?? new Set()).add(JSON.stringify(text)));
    }
    expect([...found.values()].filter((texts) => texts.size > 1).map((texts) => [...texts])).toEqual([]);
  },
);
