import { globSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { PluginObj, PluginPass, types as babelTypes } from '@babel/core';
import { formatter } from '@lingui/format-po';
import type { Plugin } from 'vite';
import type { MessagePart } from '#web/phone/app/small-lingui.tsx';

/** Folders with a catalog, those of the phone. */
const owners = globSync('web/{phone,questionnaire}/**/locales')
  .map((path) => dirname(path.replaceAll('\\', '/')))
  .sort();

/** The catalog with the texts of a file: that of the nearest folder above it; `web/kit` has its texts in the app's. */
function ownerOf(file: string): string {
  const path = relative('.', file)
    .replaceAll('\\', '/')
    .replace(/^web\/kit\//, 'web/phone/');
  const above = owners.filter((owner) => path.startsWith(`${owner}/`));
  return above.at(-1) ?? '';
}

/**
 * The messages of each catalog with their numbers, in the order of their English. An id of Lingui is six random letters, which do not
 * compress, once in the code and once in the catalog; a number has no room in the catalog at all.
 */
const numbersOf = new Map<string, Map<string, number>>();
let count = 0;
for (const owner of owners) {
  const catalog = formatter().parse(readFileSync(`${owner}/locales/en.po`, 'utf8'), {
    locale: 'en',
    sourceLocale: 'en',
    filename: `${owner}/locales/en.po`,
  });
  numbersOf.set(owner, new Map(Object.keys(catalog as object).map((id) => [id, count++])));
}

/** In the code: `_({ id: 'x7Yz0a', values })` becomes `_(12, values)`. */
export function numberMessages({ types: t }: { types: typeof babelTypes }): PluginObj<PluginPass> {
  return {
    visitor: {
      Program: {
        // Lingui's macros have become objects by then.
        exit(program, { filename = '' }) {
          const numbers = numbersOf.get(ownerOf(filename));
          program.traverse({
            CallExpression(path) {
              const [message] = path.node.arguments;
              if (path.node.arguments.length !== 1 || !t.isObjectExpression(message)) return;
              const valueOf = (name: string) =>
                message.properties.find((p) => t.isObjectProperty(p) && t.isIdentifier(p.key, { name }));
              const [id, values] = [valueOf('id'), valueOf('values')];
              if (!t.isObjectProperty(id) || !t.isStringLiteral(id.value)) return;
              const number = numbers?.get(id.value.value);
              if (number === undefined) throw path.buildCodeFrameError('No catalog has this message: script/generate');
              path.node.arguments = [
                t.numericLiteral(number),
                ...(t.isObjectProperty(values) ? [values.value as babelTypes.Expression] : []),
              ];
            },
          });
        },
      },
    },
  };
}

const isPart = (part: unknown): part is MessagePart => {
  if (typeof part === 'string') return !/\\[ux]/.test(part);
  const [, kind, forms] = part as unknown[];
  return kind === undefined || (kind === 'plural' && Object.values(forms as object).every(isMessage));
};
const isMessage = (parts: unknown): boolean => Array.isArray(parts) && parts.every(isPart);

/** In the catalogs: `{ x7Yz0a: ['Text'] }` becomes `catalogFrom(12, [['Text']])`. Stands after Lingui's own plugin. */
export function numberCatalogs(): Plugin {
  return {
    name: 'anteroom-number-catalogs',
    transform: {
      filter: { id: /\.po$/ },
      handler(code, id) {
        const numbers = numbersOf.get(ownerOf(id));
        const [, catalog] = /JSON\.parse\((".*")\)/s.exec(code) ?? [];
        if (!numbers || catalog === undefined) return this.error(`${id} is not a catalog of the phone`);
        const texts = JSON.parse(JSON.parse(catalog) as string) as Record<string, unknown>;
        const inOrder = [...numbers.keys()].map((message) => texts[message]);
        const strange = inOrder.findIndex((text) => !isMessage(text));
        if (strange >= 0) this.error(`${id}: small-lingui.tsx does not know ${JSON.stringify(inOrder[strange])}`);
        const [first = 0] = numbers.values();
        const json = JSON.stringify(JSON.stringify(inOrder));
        return `import { catalogFrom } from '#web/phone/app/small-lingui.tsx';
          export const messages = /* @__PURE__ */ catalogFrom(${first}, JSON.parse(${json}));`;
      },
    },
  };
}
