// Makes changes to one catalog through the tools, and prints each as soon as it has succeeded.
import { writeSync } from 'node:fs';
import { openWorkspace } from '../../dist/index.js';

const [project = '', worker = '', count = ''] = process.argv.slice(2);
const workspace = await openWorkspace({
  settings: { database: ':memory:', 'limits.callsPerMinute': 0, 'project.lockSeconds': 60 },
});
const session = workspace.session({ project });

/** A category of its own, in the group that all share, again and again. */
for (let turn = 0; turn < Number(count); turn++) {
  const name = `${worker}-${Math.floor(turn / 2)}`;
  const answer =
    turn % 2 === 0
      ? await session.call('category_add', { name, patterns: [`${name}/**`] })
      : await session.call('collection_update', { name: 'shared', add_categories: [name] });
  if (!answer.success) throw new Error(`${name}: ${answer.error}`);
  writeSync(1, `${turn % 2 === 0 ? 'category' : 'member'} ${name}\n`);
}
await workspace.close();
