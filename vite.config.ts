import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { PluginObj, types as babelTypes } from '@babel/core';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

interface ModuleInfo {
  importers: readonly string[];
  dynamicImporters: readonly string[];
}
interface ModuleGraph {
  getModuleInfo(id: string): ModuleInfo | null;
}

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`;
const proxied = ['/api', '/socket.io', '/dev/outbox', '/healthz', '/readyz', '/metrics'];
const entries = { panel: 'web/panel/index.html', patient: 'web/patient/index.html' };

/** Which page a path of the development server shows; in production the server decides the same. */
const entryOf = (path: string) => (/^\/(c|visit)\//.test(path) ? entries.patient : entries.panel);

/** `dist/web/panel.html` and `patient.html`; the development server shows the same pages by path. */
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
 * A few lines that must run before the first paint and may not be inline (CSP): a classic script in the
 * head of the panel, hashed like every other asset.
 */
function beforePaint(): Plugin {
  const source = readFileSync('web/panel/before-paint.js', 'utf8');
  const fileName = `assets/before-paint-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
  return {
    name: 'anteroom-before-paint',
    configureServer({ middlewares }) {
      middlewares.use(`/${fileName}`, (_req, res) => res.setHeader('content-type', 'text/javascript').end(source));
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: (_html, { path }) =>
      path.includes('panel') ? [{ tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head-prepend' }] : [],
  };
}

/** The panel's first room is fetched together with the frame and not after it has run. */
function preloadFirstRoom(): Plugin {
  return {
    name: 'anteroom-preload-first-room',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const room = chunks.find((chunk) => chunk.facadeModuleId?.endsWith('/web/panel/dashboard-page.tsx'));
        if (!room || !path.includes('panel')) return [];
        const scripts = [room.fileName, ...room.imports].filter((file) => !html.includes(file));
        const styles = [...(room.viteMetadata?.importedCss ?? [])].filter((file) => !html.includes(file));
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

/** Each script and stylesheet also as .br and .gz, so that the server sends them as they lie. */
function compressed(): Plugin {
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
 * The browser needs an endpoint's method and path only. Without its schemas zod stays out of the
 * bundle, unless a form imports a schema by name. Development keeps them: there replies are checked.
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
    filter: { id: /\/contract\/[^/]+\.ts$/, code: /\bendpoint\(/ },
    configResolvedHook: (config: { command: string }) => config.command === 'build',
  },
};

/**
 * Few files on the first load: what both pages start with is one chunk, what the panel alone starts with another; what the panel
 * starts with and the patient's page fetches later is a third, so that no phone fetches the panel's frame. Left to itself the
 * bundler cuts a dozen, one for each set of lazy rooms that share something.
 */
function firstLoadOf(id: string, graph: ModuleGraph): string | null {
  const atOnce = pagesOf(id, graph, (module) => module.importers);
  if (!atOnce.includes('panel')) return null;
  if (atOnce.includes('patient')) return 'both';
  const everOf = pagesOf(id, graph, (module) => [...module.importers, ...module.dynamicImporters]);
  return everOf.includes('patient') ? 'shared' : 'frame';
}

/** The pages from which this module is reached, by the importers that count. */
function pagesOf(id: string, graph: ModuleGraph, importersOf: (module: ModuleInfo) => Iterable<string>): string[] {
  const reached = new Set([id]);
  for (const seen of reached) {
    const module = graph.getModuleInfo(seen);
    for (const importer of module ? importersOf(module) : []) reached.add(importer);
  }
  return Object.keys(entries).filter((page) => [...reached].some((seen) => seen.includes(`/web/${page}/main.tsx`)));
}

export default defineConfig({
  appType: 'mpa',
  publicDir: false,
  plugins: [
    react(),
    lingui({ failOnCompileError: true }),
    babel({ presets: [reactCompilerPreset(), linguiTransformerBabelPreset(), contractPreset] }),
    pages(),
    beforePaint(),
    preloadFirstRoom(),
    compressed(),
  ],
  build: {
    outDir: 'dist/web',
    assetsInlineLimit: 0,
    target: 'es2022',
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: entries,
      treeshake: { manualPureFunctions: ['z', 'endpoint'] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 1 },
            { name: firstLoadOf, tags: ['$initial'] },
          ],
        },
      },
    },
  },
  // All sources, not only the pages: whatever a lazy room needs is ready before someone opens it.
  optimizeDeps: {
    entries: ['web/*/main.tsx', 'web/{features,kit,ui,panel}/**/!(*.test).{ts,tsx}', 'contract/!(*.test).ts'],
  },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, { target: server, ws: path === '/socket.io' }])) },
});
