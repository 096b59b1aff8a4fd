import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';

/** The helper of Vite that `web/phone/app/load-with-files.js` stands for: a third of its size. */
const helper = /^\0vite\/preload-helper\.js$/;

export function loadWithFiles(): Plugin {
  return {
    name: 'anteroom-load-with-files',
    enforce: 'pre',
    apply: 'build',
    load: { filter: { id: helper }, handler: () => readFileSync('web/phone/app/load-with-files.js', 'utf8') },
  };
}

/** Vite's list of all files that a file requests, and at each `import()` the places in it. */
const listOfFiles = /^const __vite__mapDeps=.*?\(m\.f=(\[.*?\])\)\)\)=>.*\n/m;
const placesInList = /,\s*__vite__mapDeps\(\[([\d,]*)\]\)/g;

/**
 * Vite writes at each `import()` all files behind it, with their hashes. This leaves those that are not there yet: what a file needs itself
 * was loaded before it, and the imported file itself, which comes first, is asked for by `import()`.
 */
export function onlyMissingFiles(): Plugin {
  return {
    name: 'anteroom-only-missing-files',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue;
          const [line, list] = listOfFiles.exec(chunk.code) ?? [];
          if (line === undefined || list === undefined) continue;
          const files = JSON.parse(list) as string[];
          const there = filesBehind(chunk, bundle);
          chunk.code = chunk.code.replace(line, '').replace(placesInList, (_, places: string) => {
            const [imported, ...behind] = places.split(',').map((place) => files[Number(place)] ?? '');
            const missing = behind.filter((file) => !there.has(file));
            // Loading a style is waited for before the import, so the script is asked for with it.
            if (missing.some((file) => file.endsWith('.css'))) missing.unshift(imported ?? '');
            return missing.length > 0 ? `,${JSON.stringify(missing)}` : '';
          });
        }
      },
    },
  };
}

/** A file with the scripts and styles that it cannot run without. */
function filesBehind(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, found = new Set<string>()) {
  found.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const file of chunk.imports) {
    const next = bundle[file];
    if (next?.type === 'chunk' && !found.has(file)) filesBehind(next, bundle, found);
  }
  return found;
}
