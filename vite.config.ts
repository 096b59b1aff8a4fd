import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { PluginObj, types as babelTypes } from '@babel/core';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { numberCatalogs, numberMessages } from './script/phone-messages.ts';
import { loadWithFiles, onlyMissingFiles } from './script/phone-loading.ts';
import { isReactByName, reactByName } from './script/phone-react.ts';
import { classesByName, shortClass } from './script/phone-styles.ts';

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`;
const proxied = ['/api', '/dev/outbox', '/healthz', '/readyz', '/metrics', '/widget.js', '/tour'];
const entries = {
  panel: 'web/panel/app/index.html',
  patient: 'web/phone/app/index.html',
  widget: 'web/widget/app/index.html',
};
/** The page that each mode of a build makes; the default is the panel's. */
const entryOfMode: Record<string, keyof typeof entries> = { phone: 'patient', widget: 'widget' };

/** The development server serves all pages; a build makes one of them. */
const inputOf = (command: string, mode: string): Record<string, string> => {
  if (command === 'serve') return entries;
  const name = entryOfMode[mode] ?? 'panel';
  return { [name]: entries[name] };
};

const isSmall = (mode: string) => mode in entryOfMode;
const isPhone = (mode: string) => mode === 'phone';

/** The page for a path on the development server; in production the server decides the same. */
function entryOf(path: string): string {
  if (path.startsWith('/widget/')) return entries.widget;
  return /^\/(c\/|visit\/|episode\/|forms\/shared|form-)/.test(path) ? entries.patient : entries.panel;
}

/** `dist/web/panel.html` and `patient.html`; the development server serves the same pages by path. */
function pages(): Plugin {
  return {
    name: 'anteroom-pages',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const [name, path] of Object.entries(entries)) {
        const page = bundle[path];
        if (page) page.fileName = `${name}.html`;
      }
    },
    configureServer({ middlewares }) {
      middlewares.use((req, _res, next) => {
        const wantsPage =
          req.headers.accept?.includes('text/html') && !proxied.some((path) => req.url?.startsWith(path));
        if (wantsPage) req.url = `/${entryOf(req.url ?? '/')}`;
        next();
      });
    },
  };
}

/**
 * A few lines that must run before the first paint, or before the panel's code has loaded: an inline script in the panel's head. The server
 * allows it by its hash (server/pages.ts); a file of its own would be one more round trip before the queue is asked for.
 */
function beforePaint(): Plugin {
  const script = () => readFileSync('web/panel/app/before-paint.js', 'utf8').replace(/^\s*(\/\/.*)?\n/gm, '');
  return {
    name: 'anteroom-before-paint',
    // After the session that the server embeds, and before the styles, which a script would wait for.
    transformIndexHtml: (html, { path }) =>
      path.includes('panel')
        ? html.replace('<!--boot-->', (boot) => `${boot}\n    <script>${script()}</script>`)
        : html,
  };
}

/** The service worker that shows pushes. Its URL never changes, so its name has no hash. Only the panel's build makes it. */
function pushWorker(): Plugin {
  const source = () => readFileSync('web/panel/app/push-worker.js', 'utf8');
  return {
    name: 'anteroom-push-worker',
    configureServer({ middlewares }) {
      middlewares.use('/sw.js', (_req, res) => res.setHeader('content-type', 'text/javascript').end(source()));
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: source() });
    },
  };
}

/** The page that the panel opens with. */
const firstPage = resolve('web/panel/app/dashboard-page.tsx');

/** Preloads the panel's first page with the frame instead of after it has run. */
function preloadFirstPage(): Plugin {
  return {
    name: 'anteroom-preload-first-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const page = chunks.find((chunk) => chunk.facadeModuleId === firstPage);
        if (!page || !path.includes('panel')) return [];
        const files = [page.fileName, ...page.imports];
        const scripts = files.filter((file) => !html.includes(file));
        const styles = chunks
          .filter(({ fileName }) => files.includes(fileName))
          .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
          .filter((file) => !html.includes(file));
        return [
          ...scripts.map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          })),
          ...styles.map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'style', crossorigin: true, href: `/${file}` },
          })),
        ].map((tag) => ({ ...tag, injectTo: 'head' as const }));
      },
    },
  };
}

/** The phone's page says of which build it is, and sends that with its calls: the server knows an outdated page by it. */
function buildId(): Plugin {
  return {
    name: 'anteroom-build-id',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { path, bundle = {} }) {
        if (!path.includes('phone')) return [];
        // The names of scripts and styles are hashes of what is in them.
        const content = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('base64url').slice(0, 12);
        return [{ tag: 'meta', attrs: { name: 'build', content }, injectTo: 'head' }];
      },
    },
  };
}

/** Writes each script and stylesheet as .br and .gz too, so that the server sends them precompressed. */
function compressFiles(): Plugin {
  return {
    name: 'anteroom-compressed',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const file of Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))) {
        const bytes = readFileSync(join(dir, file));
        writeFileSync(join(dir, `${file}.br`), brotliCompressSync(bytes));
        writeFileSync(join(dir, `${file}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/**
 * The browser needs only an endpoint's method and path. Without its schemas, zod stays out of the bundle unless a form imports a schema by
 * name. Development keeps them to validate replies.
 */
function endpointsWithoutSchemas({ types: t }: { types: typeof babelTypes }): PluginObj {
  const kept = new Set(['method', 'path', 'creates']);
  return {
    visitor: {
      CallExpression({ node }) {
        const [described] = node.arguments;
        if (!t.isIdentifier(node.callee, { name: 'endpoint' }) || !t.isObjectExpression(described)) return;
        described.properties = described.properties.filter(
          (p) => t.isObjectProperty(p) && t.isIdentifier(p.key) && kept.has(p.key.name),
        );
      },
    },
  };
}

const contractPreset = {
  preset: { plugins: [endpointsWithoutSchemas] },
  rolldown: {
    filter: { id: /\/contract\/.+\.ts$/, code: /\bendpoint\(/ },
    configResolvedHook: (config: { command: string }) => config.command === 'build',
  },
};

/**
 * Stops the build if zod is in a file: 7 kB for nobody. A schema stays in the bundle if it is made by something that may have effects: spread
 * (`...Other.shape` instead of `z.extend`), a property read, a call of a function without `@__NO_SIDE_EFFECTS__`.
 */
function withoutZod(): Plugin {
  return {
    name: 'anteroom-without-zod',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const isThere = Object.entries(file.modules).some(
          ([id, { renderedLength }]) => /node_modules[\\/]zod[\\/]/.test(id) && renderedLength > 0,
        );
        if (isThere) this.error(`${file.fileName} contains zod: look in it for the schema that keeps it there`);
      }
    },
  };
}

/**
 * Stops the build if the visit's page loads a form: a constant that both need, placed in the form's chunk, once cost every visit 16 kB that
 * only those who open a form need.
 */
function withoutFormOnVisit(): Plugin {
  return {
    name: 'anteroom-without-form-on-visit',
    apply: 'build',
    generateBundle(_options, bundle) {
      const importsOf = (file: string): string[] => {
        const chunk = bundle[file];
        return chunk?.type === 'chunk' ? chunk.imports : [];
      };
      const nameOf = (file: string) => {
        const chunk = bundle[file];
        return chunk?.type === 'chunk' ? chunk.name : '';
      };
      const visit = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'visit');
      if (!visit) return this.error('the visit has no chunk of its own');
      const reached = new Set(importsOf(visit.fileName));
      for (const file of reached) for (const next of importsOf(file)) reached.add(next);
      const form = [...reached].find((file) => nameOf(file) === 'form');
      if (form)
        this.error(
          `The visit's page loads ${form}: look for what web/kit or the visit imports from the questionnaire's folders`,
        );
    },
  };
}

/** Compiles each English message where it is shown, as the catalogs are compiled. */
function compileMessagesInPlace({ types: t }: { types: typeof babelTypes }): PluginObj {
  return {
    visitor: {
      Program: {
        // Lingui's macros have become objects by then.
        exit(program) {
          program.traverse({
            ObjectExpression({ node: { properties } }) {
              const valueOf = (name: string) =>
                properties.find((p) => t.isObjectProperty(p) && t.isIdentifier(p.key, { name }));
              const message = valueOf('message');
              if (!valueOf('id') || !t.isObjectProperty(message) || !t.isStringLiteral(message.value)) return;
              message.value = t.valueToNode(compileMessageOrThrow(message.value.value));
            },
          });
        },
      },
    },
  };
}

/**
 * The panel's English is in the files that show it, so that the first page does not load the texts of all others (20 kB). Its Spanish is one
 * file, and the chat's is two. The phone has a catalog for each of its folders with `locales/`, so that Spanish loads in parts too.
 */
const messagesInPlace = [
  { preset: { plugins: [compileMessagesInPlace] }, rolldown: { filter: { code: /@lingui\/(core|react)\/macro/ } } },
  linguiTransformerBabelPreset({ descriptorFields: 'message' }),
];

/** The phone has less of Lingui, and numbers for ids. */
const numberedMessages = [
  { preset: { plugins: [numberMessages] }, rolldown: { filter: { code: /@lingui\/(core|react)\/macro/ } } },
  linguiTransformerBabelPreset({ descriptorFields: 'id-only' }),
];
const smallLingui = { find: /^@lingui\/(core|react)$/, replacement: resolve('web/phone/app/small-lingui.tsx') };

/**
 * Few files on the first load: the page's start is one chunk, and the panel's first page with its dependencies another. By default the
 * bundler would make a dozen, one for each set of lazy pages that share something.
 */
const reactPackages = ['react', 'react-dom', 'scheduler'];
const firstLoad = [
  {
    name: 'react',
    test: (id: string) => isReactByName(id) || reactPackages.some((name) => id.includes(`/node_modules/${name}/`)),
    priority: 2,
  },
  { name: 'frame', tags: ['$initial' as const], priority: 1 },
  { name: 'first-page', test: (id: string) => id === firstPage },
];

/** The folder of a source file, from the project's root; undefined for packages and for what a plugin makes of a file (`?url`). */
const folderOf = (id: string): string | undefined =>
  id.includes('node_modules') || !sourceTypes.has(extname(id)) ? undefined : relative('.', dirname(id));
const sourceTypes = new Set(['.ts', '.tsx', '.css']);

/** A chunk of the files directly in these folders, without nested folders or imports. */
const chunkOf = (name: string, ...folders: string[]) => ({
  name,
  test: (id: string) => folders.includes(folderOf(id) ?? ''),
  includeDependenciesRecursively: false,
});

/** A chunk of these files with all that they import and no earlier chunk has. */
const chunkFrom = (name: string, ...files: string[]) => {
  const ids = new Set(files.map((file) => resolve(file)));
  return { name, test: (id: string) => ids.has(id) };
};

/**
 * What always loads together on the phone is one file: it compresses better than several, and is one request. English is with the code that
 * shows it, as a page that cannot load another language shows English.
 */
const phonePages = [
  chunkFrom('check-in', 'web/phone/features/check-in/check-in-page.tsx'),
  chunkFrom(
    'visit',
    'web/phone/features/visit/visit-page.tsx',
    'web/phone/app/visit-forms/visit-forms-pages.tsx',
    'web/phone/features/forms/locales/en.po',
    'web/phone/features/check-in/link-texted/index.ts',
    'web/phone/features/check-in/link-texted/locales/en.po',
  ),
  chunkFrom(
    'check-in-notices',
    'web/phone/features/check-in/notices/index.ts',
    'web/phone/features/check-in/notices/locales/en.po',
  ),
  chunkFrom('form', 'web/phone/features/forms/filling/form-page.tsx', 'web/questionnaire/locales/en.po'),
];

/** What is needed after a form's first page, or by some forms only, and is one file. What only some need and is not listed is a file each. */
const phoneForms = [
  chunkOf('form-review', 'web/phone/features/forms/review', 'web/questionnaire/review', 'questionnaire/checking'),
  chunkOf('form-dates', 'web/questionnaire/dates', 'questionnaire/dates'),
  chunkOf('form-upload', 'web/phone/features/forms/upload', 'web/questionnaire/upload', 'web/kit/upload'),
];

/**
 * Each page is built separately (`--mode phone` for the phone's, `--mode widget` for the chat's): built together they would share chunks,
 * and a phone would fetch parts that only the panel needs.
 */
export default defineConfig(({ command, mode }) => ({
  appType: 'mpa',
  publicDir: false,
  // React has included it since 18; the package is a shim for older versions.
  resolve: {
    alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }, ...(isPhone(mode) ? [smallLingui] : [])],
  },
  // Short names: they are bytes on the phone.
  css: {
    modules: { ...(command === 'build' && { generateScopedName: isPhone(mode) ? shortClass : '[hash:base64:4]' }) },
  },
  plugins: [
    react(),
    lingui({ failOnCompileError: true }),
    ...(isPhone(mode) ? [numberCatalogs(), classesByName(), reactByName(), loadWithFiles()] : []),
    // On the phone and in the chat, the compiler's memoization costs more (7 kB of 108) than it saves.
    babel({
      presets: [
        ...(isSmall(mode) ? [] : [reactCompilerPreset()]),
        ...(isPhone(mode) ? numberedMessages : messagesInPlace),
        contractPreset,
      ],
    }),
    pages(),
    beforePaint(),
    preloadFirstPage(),
    buildId(),
    ...(isSmall(mode) ? [] : [pushWorker()]),
    withoutZod(),
    ...(isPhone(mode) ? [withoutFormOnVisit()] : []),
    onlyMissingFiles(),
    compressFiles(),
  ],
  // One file, because a worker that needs several waits for each.
  worker: { format: 'es', rolldownOptions: { output: { codeSplitting: false } } },
  build: {
    outDir: 'dist/web',
    emptyOutDir: !isSmall(mode),
    assetsInlineLimit: 0,
    target: 'es2022',
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: inputOf(command, mode),
      // A constant is written where it is used: exported, it would have a line in each of two files.
      ...(isPhone(mode) && { optimization: { inlineConst: { mode: 'all' as const } } }),
      treeshake: {
        manualPureFunctions: ['z', 'endpoint'],
        // Our modules that are imported without a name are styles. Without this, whoever needs one part of a feature loads its whole index.
        moduleSideEffects: [{ test: /\/(web|contract|questionnaire)\/.+\.tsx?$/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: isPhone(mode) ? [...firstLoad, ...phonePages, ...phoneForms] : firstLoad,
        },
      },
    },
  },
  // All sources, not only the pages, so that the dependencies of lazy pages are prebundled too.
  optimizeDeps: {
    entries: ['web/*/app/main.tsx', 'web/**/!(*.test).{ts,tsx}', '{contract,questionnaire}/**/!(*.test).ts'],
  },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, { target: server, ws: path === '/api' }])) },
}));
