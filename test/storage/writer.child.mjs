// One of several processes that write to one library at once. Each write names the version it is based
// on, and is tried again after a conflict. Prints what it has done as one line of JSON.
import { openWorkspace } from '../../dist/index.js';

const [worker = '', count = '0'] = process.argv.slice(2);
const workspace = await openWorkspace();
const session = workspace.session({ agent: `worker-${worker}` });
const done = { added: /** @type {string[]} */ ([]), renamed: 0, conflicts: 0 };

for (let turn = 0; turn < Number(count); turn++) {
  const name = `w${worker}-${turn}`;
  for (;;) {
    const listed = await session.call('list_folders', { includeChildren: false });
    if (!listed.success) throw new Error(listed.error);
    const parent = listed.folders[turn % listed.folders.length];
    const envelope =
      turn % 4 === 3
        ? await session.call('edit_folder', { id: parent?.id, newName: name, version: listed.version })
        : await session.call('add_folder', {
            name,
            position: { placement: 'ending', relativeTo: parent?.id },
            version: listed.version,
            idempotencyKey: name,
          });
    if (envelope.success) {
      if (turn % 4 === 3) done.renamed++;
      else done.added.push(envelope.id);
      break;
    }
    if (envelope.error_type !== 'conflict') throw new Error(`${envelope.error_type}: ${envelope.error}`);
    done.conflicts++;
  }
}
await workspace.close();
process.stdout.write(JSON.stringify(done));
