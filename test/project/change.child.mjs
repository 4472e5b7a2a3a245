// Adds collections to a project file for ever, or so many, and prints the name of each as soon as it is in.
import { writeSync } from 'node:fs';
import { changeProject } from '../../dist/project/change.js';

const [file = '', worker = '', count = ''] = process.argv.slice(2);

for (let turn = 0; turn < Number(count); turn++) {
  const name = `${worker}-${turn}`;
  const value = { type: 'pkg', url: `https://a.example/${name}/manifest.json` };
  await changeProject(file, () => [{ path: ['collections', name], value }], { waitMs: 60_000 });
  writeSync(1, `${name}\n`);
}
