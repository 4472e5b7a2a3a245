// The long form of the tests that `npm test` runs in short: many more random runs, kills and writers.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const factor = Number(process.argv[2] ?? 20);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const env = { ...process.env, AI_ASSIST_TEST_FACTOR: String(factor) };
const { status } = spawnSync(
  process.execPath,
  [
    vitest,
    'run',
    '--testTimeout',
    '3600000',
    'test/library',
    'test/storage',
    'test/context/kill.test.ts',
    'test/context/walk.test.ts',
    'test/project',
  ],
  {
    cwd: root,
    env,
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
