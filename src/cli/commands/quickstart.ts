import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Envelope, openWorkspace, type Session, type Workspace } from '../../workspace.js';
import type { ExitCode } from '../command.js';
import { usage } from '../options.js';
import { render } from '../render.js';
import { bold, dim, print } from '../terminal.js';

export async function run(args: string[]): Promise<ExitCode> {
  const { values } = usage(() => parseArgs({ args, options: { keep: { type: 'boolean' } } }));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-'));
  const database = path.join(folder, 'library.db');
  try {
    const workspace = await openWorkspace({ settings: { database, readOnly: false, 'limits.callsPerMinute': 0 } });
    await tellStory(workspace).finally(() => workspace.close());
  } finally {
    if (!values.keep) rmSync(folder, { recursive: true, force: true });
  }
  print(values.keep ? `\nThe scratch library is ${database}` : dim('\nThe scratch library is gone again.'));
  print(nextSteps);
  return 0;
}

/** Two agents work on one library; every call below goes through the real tools and the guard. */
async function tellStory(workspace: Workspace): Promise<void> {
  const ada = workspace.session({ agent: 'ada', role: 'editor' });
  const ben = workspace.session({ agent: 'ben', role: 'editor' });
  const owner = workspace.session({ agent: 'you', role: 'owner' });

  step('1. Ada makes a library of folders');
  const work = await made(ada, 'Work');
  const guides = await made(ada, 'Guides', work);
  await made(ada, 'Decisions', work);
  await made(ada, 'Reading list');
  show(await ada.call('list_folders', {}));

  step('2. Ben reads it, and Ada renames a folder meanwhile');
  const seen = await ben.call('list_folders', {});
  const version = seen.success ? (seen.version ?? '') : '';
  show(await ada.call('edit_folder', { id: guides, newName: 'How-to guides' }));

  step('3. Ben changes the same folder, based on what he read: nothing is overwritten');
  const refused = await ben.call('edit_folder', { id: guides, newName: 'Manuals', version });
  show(refused);

  step('4. Ben looks at the latest version, and changes something else');
  const current = refused.success ? version : String(refused.currentVersion);
  show(await ben.call('edit_folder', { name: 'Decisions', newStatus: 'dropped', version: current }));
  show(await ben.call('list_folders', {}));

  step('5. Every call was recorded');
  await Promise.all([ada.close(), ben.close()]);
  show(await owner.call('audit_verify', {}));
}

async function made(session: Session, name: string, parentId?: string): Promise<string> {
  const position = { placement: 'ending' as const, relativeTo: parentId };
  const envelope = await session.call('add_folder', { name, position });
  if (!envelope.success) throw new Error(envelope.error);
  return envelope.id;
}

const step = (title: string) => print(`\n${bold(title)}`);

function show(envelope: Envelope): void {
  const text = envelope.success ? render(envelope) : `refused: ${envelope.error}\nnext:    ${envelope.instruction}`;
  print(`  ${text.replaceAll('\n', '\n  ')}`);
}

const nextSteps = `
What you can do next:
  npx ai-assist tools                                  see every tool
  npx ai-assist tool add_folder --name "My projects"   start your own library
  npx ai-assist tool list_folders                      look at it
  npx ai-assist config                                 see where it is kept
  npx ai-assist mcp                                    serve it to an agent, over MCP`;
