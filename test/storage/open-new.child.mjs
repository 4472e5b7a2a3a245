// Meets the other children at each round, then opens a file that is not there yet and adds a folder to it.
// A child that fails leaves a mark, so that the others do not wait for it.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openWorkspace } from '../../dist/index.js';

const [folder = '', name = '', children = '', rounds = ''] = process.argv.slice(2);

const failed = path.join(folder, 'failed');

/** @param {string} place */
async function meetOthers(place) {
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, name), '');
  while (readdirSync(place).length < Number(children) && !existsSync(failed)) await setImmediate();
}

/** @param {string} database */
async function addFolder(database) {
  const workspace = await openWorkspace({ settings: { database } });
  const result = await workspace.session({ agent: name }).call('add_folder', { name });
  if (!result.success) throw new Error(result.error);
  await workspace.close();
}

try {
  for (let round = 0; round < Number(rounds) && !existsSync(failed); round++) {
    await meetOthers(path.join(folder, `meeting-${round}`));
    await addFolder(path.join(folder, `round-${round}`, 'new', 'library.db'));
  }
} catch (thrown) {
  writeFileSync(failed, '');
  throw thrown;
}
