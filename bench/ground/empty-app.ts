import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { projectRoot } from '#server/kit/project-root.ts';
import type { BenchDatabase, StartedServer } from './open-ground.ts';

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Empty</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/main.jsx"></script>
  </body>
</html>
`;
const main = `import { createRoot } from 'react-dom/client';
createRoot(document.getElementById('root')).render(<h1>Hello from a page with nothing else on it</h1>);
`;

/** The lower bound for both pages: the same React with one sentence, built by the same Vite and compressed the same way. */
export async function startEmptyApp(ground: BenchDatabase): Promise<StartedServer> {
  const root = await mkdtemp(join(tmpdir(), 'anteroom-empty-'));
  await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  await writeFile(join(root, 'index.html'), page);
  await writeFile(join(root, 'main.jsx'), main);
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { target: 'es2022', modulePreload: { polyfill: false }, reportCompressedSize: false },
  });
  const assets = join(root, 'dist/assets');
  await mkdir(assets, { recursive: true });
  for (const file of await readdir(assets))
    await writeFile(join(assets, `${file}.gz`), gzipSync(await readFile(join(assets, file)), { level: 9 }));
  const server = await ground.script('bench/ground/empty-server.ts', { ROOT: join(root, 'dist') });
  return {
    ...server,
    async stop(signal) {
      await server.stop(signal);
      await rm(root, { recursive: true, force: true });
    },
  };
}
