/** The second half of the story: a library that two agents edit at once. */
import type { Session } from '../../workspace.js';
import { made, refused, say, step } from './stage.js';

export type Agents = { ada: Session; ben: Session };

/** The folders that the story is about, and a snapshot of them. */
export async function fillLibrary({ ada }: Agents, number: number): Promise<string> {
  step(
    `${number}. Ada makes a library that several agents share, and takes a snapshot`,
    'tool add_folder --name Decisions',
    'tool snapshot_create --label Monday --version r2',
  );
  const { id } = await made(ada.call('add_folder', { name: 'Decisions' }));
  await made(ada.call('add_folder', { name: 'Releases' }));
  const { folders, version } = await made(ada.call('list_folders', {}));
  say(`folders: ${folders.map(({ name }) => name).join(', ')}`);
  await made(ada.call('snapshot_create', { label: 'Monday', version: String(version) }));
  say("snapshot 'Monday': a label, nothing is copied");
  return id;
}

/** Both change the same folder. The later one is told, and what the first one wrote stays. */
export async function meetConflict({ ada, ben }: Agents, id: string, number: number): Promise<void> {
  step(`${number}. Ben reads it, Ada renames a folder meanwhile, and Ben renames the same one`);
  const seen = await made(ben.call('list_folders', {}));
  await made(ada.call('edit_folder', { id, newName: 'Decision records' }));
  say("Ada: 'Decisions' is now 'Decision records'");
  const conflict = await refused(ben.call('edit_folder', { id, newName: 'Rulings', version: String(seen.version) }));
  say(`Ben is refused (${conflict.error_type}): ${conflict.error}`);
  say(`he is told: ${conflict.instruction}`);

  step(`${number + 1}. Ben reads again, and puts his change where it fits`);
  const now = await made(ben.call('list_folders', {}));
  const position = { placement: 'ending' as const, relativeTo: id };
  const added = await made(ben.call('add_folder', { name: 'Rulings', position, version: String(now.version) }));
  say(`Ben: 'Decision records' > '${added.name}', version ${added.version}. Nobody lost anything.`);
}

export async function compare({ ada }: Agents, number: number): Promise<void> {
  step(`${number}. What has changed since Monday?`, 'tool snapshot_diff --a Monday --b now');
  const { diff } = await made(ada.call('snapshot_diff', { a: 'Monday', b: 'now' }));
  for (const { payload } of diff.added) say(`added    ${payload.name}`);
  for (const { changes } of diff.changed) {
    for (const { path, before, after } of changes) say(`changed  ${path}: ${before} → ${after}`);
  }
  say(`removed  ${diff.removed.length === 0 ? 'nothing' : diff.removed.length}`);
}

export async function verify(owner: Session, number: number): Promise<void> {
  step(`${number}. Every call was recorded, the refused one too`, 'audit verify');
  const { intact, entries } = await made(owner.call('audit_verify', {}));
  say(`the audit log is ${intact ? 'intact' : 'BROKEN'}: ${entries} entries, chained by their hashes`);
}
