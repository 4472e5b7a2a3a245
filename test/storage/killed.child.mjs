// Adds folders for ever, and prints the id of each as soon as the call was answered.
import { writeSync } from 'node:fs';
import { openWorkspace } from '../../dist/index.js';

/** @param {string} line */
const say = (line) => writeSync(1, `${line}\n`);

say('opening');
const workspace = await openWorkspace({ settings: { 'limits.callsPerMinute': 0 } });
const session = workspace.session();
for (let number = 0; ; number++) {
  const result = await session.call('add_folder', { name: `Folder ${number}` });
  if (!result.success) throw new Error(result.error);
  say(result.id);
}
