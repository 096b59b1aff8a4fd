import { defineConfig } from 'vite';

/** `dist/web/widget.js`, the script that practices put on their websites: one plain script without dependencies. Its URL never changes. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'dist/web',
    emptyOutDir: false,
    modulePreload: false,
    target: ['chrome123', 'safari17.5', 'firefox120'],
    reportCompressedSize: false,
    rolldownOptions: {
      input: 'web/widget/loader/loader.ts',
      output: { format: 'iife', entryFileNames: 'widget.js' },
    },
  },
});
