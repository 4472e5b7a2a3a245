import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fakeOmniFocus } from '../support/fake-omnifocus.js';
import { root, runNode, scratchEnv, scratchFolder } from '../support/scratch.js';

const script = path.join(root, 'scripts', 'omnifocus-capture.mjs');

test('O50 the capture compares every case, and leaves the library as it was', async () => {
  const own = { kind: 'folder', id: 'own', name: 'My own', dropped: false, children: [] } as const;
  // Stands for a real OmniFocus that differs in one thing.
  const mac = fakeOmniFocus([{ ...own, children: [] }], { byLevel: true });
  const output = path.join(mac.folder, 'capture.json');
  const { code, stdout } = await runNode([script, '--output', output], mac.env);
  expect(stdout).toMatch(/^differs: facts\n\d+ cases, 1 differences\. See /);
  expect(code).toBe(0);
  const { real, emulator, differences } = JSON.parse(readFileSync(output, 'utf8'));
  expect(differences).toEqual(['facts']);
  expect(real.map(({ what }: { what: string }) => what)).toEqual(emulator.map(({ what }: { what: string }) => what));
  expect(mac.sections()).toEqual([own]);
  const answers = new Map(real.map(({ what, answer }: { what: string; answer: unknown }) => [what, answer]));
  expect(answers.get('an ambiguous name')).toMatchObject({ matchingIds: ['<second>', '<twin>'] });
  expect(answers.get('facts of changes')).toMatchObject({ 'a position is resolved when it is used': '2 new 1 3' });
  expect(answers.get('throw midway')).toEqual({ answers: 'an error' });
  expect(JSON.stringify(answers.get('list what was made before it threw'))).toContain('made before');
});

test('O50 a folder that cannot be removed again is named', async () => {
  const mac = fakeOmniFocus();
  // The first run makes the folder; then automation is no longer permitted.
  mac.faults('', ...Array<string>(100).fill('error -1743'));
  const { code, stderr } = await runNode([script, '--output', path.join(mac.folder, 'capture.json')], mac.env);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /\(error -1743\)\nThe folder 'ai-assist capture .*' may still be there: remove it by hand\.$/m,
  );
});

test('O51 without OmniFocus it says why', async () => {
  const { code, stderr } = await runNode([script], scratchEnv(scratchFolder(), { PATH: '/nowhere' }));
  expect(code).toBe(1);
  expect(stderr).toContain('OmniFocus can be reached on a Mac only');
});
