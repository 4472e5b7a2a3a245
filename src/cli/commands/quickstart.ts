import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openWorkspace } from '../../workspace.js';
import type { ExitCode } from '../command.js';
import { usage } from '../options.js';
import { nameDocuments } from '../quickstart/catalog.js';
import { packDocuments, syncDocuments } from '../quickstart/documents.js';
import { compare, fillLibrary, meetConflict, verify } from '../quickstart/library.js';
import { type Stage, setStage } from '../quickstart/stage.js';
import { bold, dim, print } from '../terminal.js';

export async function run(args: string[]): Promise<ExitCode> {
  const { values } = usage(() => parseArgs({ args, options: { keep: { type: 'boolean' } } }));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-'));
  const database = path.join(folder, 'library.db');
  try {
    const workspace = await openWorkspace({ settings: { database }, env: ownEnvironment(folder) });
    await tellStory(setStage(workspace, folder)).finally(() => workspace.close());
  } finally {
    if (!values.keep) rmSync(folder, { recursive: true, force: true });
  }
  print(
    values.keep
      ? `\nAll of it is in ${folder}\nThe scratch library is ${database}`
      : dim('\nAll of it was in a scratch folder, which is gone again.'),
  );
  print(nextSteps());
  return 0;
}

/** A person's settings do not reach into the story, but for the one without which there may be no database. */
const ownEnvironment = (folder: string) => ({
  HOME: folder,
  APPDATA: folder,
  LOCALAPPDATA: folder,
  AI_ASSIST_SQLITE_DRIVER: process.env.AI_ASSIST_SQLITE_DRIVER,
});

/** Every call goes through the real tools and the guard, on real files. */
async function tellStory(stage: Stage): Promise<void> {
  const { workspace, app } = stage;
  const session = (agent: string) => workspace.session({ agent, role: 'editor', project: app });
  const agents = { ada: session('ada'), ben: session('ben') };
  const you = workspace.session({ agent: 'you', role: 'owner', project: app });

  const url = await packDocuments(stage);
  await syncDocuments(you, agents.ada, url);
  await nameDocuments(agents.ada);
  const folder = await fillLibrary(agents, 4);
  await meetConflict(agents, folder, 5);
  await compare(agents, 7);
  await Promise.all([agents.ada.close(), agents.ben.close()]);
  await verify(you, 8);
}

const nextSteps = () => `
What you can do next:
  npx ai-assist tools                 see every tool
  npx ai-assist collections init      list the documents of your own project
  npx ai-assist tool list_folders     look at your own library
  npx ai-assist doctor                check that everything works

${bold('Connect your own client:')}
  npx ai-assist install               lists the clients; then, for example
  npx ai-assist install claude-code`;
