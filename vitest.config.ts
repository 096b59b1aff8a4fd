import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';

/** Files that take half a minute or more. They start first: one that starts last keeps a single core busy at the end. */
const longFiles = ['server/api.test.ts', 'server/tenancy.test.ts', 'server/postgres/embedded-postgres.test.ts'];
/** Tried on a cluster only: the drill `citus`. */
const clusterFiles = [
  'server/one-shard.test.ts',
  'server/kit/db/distribute-in-place.test.ts',
  'server/features/backup/several-nodes.test.ts',
];
const onCluster = process.env.TEST_DATABASE_URL ? [] : clusterFiles;
/** Waits for workers of low priority, which starve beside the checks of types at the start. They run in the middle. */
const waitingFile = 'server/features/forms/hostile-forms.test.ts';

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => longFiles.findIndex((file) => moduleId.endsWith(file));
    const first = sorted.filter((file) => place(file) >= 0).sort((a, b) => place(a) - place(b));
    const waiting = sorted.filter(({ moduleId }) => moduleId.endsWith(waitingFile));
    const rest = sorted.filter((file) => place(file) < 0 && !waiting.includes(file));
    const half = Math.floor(rest.length / 2);
    return [...first, ...rest.slice(0, half), ...waiting, ...rest.slice(half)];
  }
}

export default defineConfig({
  plugins: [lingui(), babel({ presets: [linguiTransformerBabelPreset()] })],
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['node_modules', 'dist', 'e2e', '.node', ...onCluster],
    globalSetup: ['testing/app/postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Files share a worker's loaded modules; each opens its own app and database.
    isolate: false,
    sequence: { sequencer: LongFilesFirst },
  },
});
