import { globSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/** A folder with `locales/` has its own catalog: the texts of its files, except those of nested folders with a catalog. */
const owners = globSync('web/**/locales')
  .map((path) => posix.dirname(path.replaceAll('\\', '/')))
  .sort();
/** The apps. Each app's catalog includes `web/kit`, which they all use. */
const isApp = (owner: string) => /^web\/\w+$/.test(owner) && owner !== 'web/questionnaire';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'es'],
  catalogs: owners.map((owner) => ({
    path: `${owner}/locales/{locale}`,
    include: isApp(owner) ? [owner, 'web/kit'] : [owner],
    exclude: [
      ...owners.filter((other) => other.startsWith(`${owner}/`)).map((other) => `${other}/**`),
      '**/gallery/**',
      '**/*.test.*',
    ],
  })),
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
});
