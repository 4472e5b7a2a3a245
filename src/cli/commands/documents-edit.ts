/** Editing a document in the person's own editor. The database is free meanwhile, and what changed there wins. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Envelope, Session } from '../../workspace.js';
import { type ExitCode, UsageError } from '../command.js';
import { answer } from '../render.js';
import { print, printError, printNote, safe } from '../terminal.js';

type Which = { documentId: string; documentType: string | undefined };
type Open = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

export async function editDocument(open: Open, which: Which, json: boolean): Promise<ExitCode> {
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (!editor) throw new UsageError('No editor is set', 'Set EDITOR, such as EDITOR=nano.');
  const { documentId, documentType } = which;
  const fetched = await open((session) => session.call('get_document', { documentId, documentType }));
  if (!fetched.success) return answer(fetched, json);

  const folder = await mkdtemp(path.join(os.tmpdir(), 'ai-assist-edit-'));
  const file = path.join(folder, 'document.json');
  const before = `${JSON.stringify(fetched.document.data, null, 2)}\n`;
  await writeFile(file, before, { mode: 0o600 });
  const edited = await edit(editor, file);
  const done = edited === undefined ? 'kept' : await save(open, fetched, { before, edited, file, json });
  if (done !== 'kept') await rm(folder, { recursive: true, force: true });
  return done === 'done' ? 0 : 1;
}

/** The text as it was saved; undefined where the editor failed. */
async function edit(editor: string, file: string): Promise<string | undefined> {
  const code = await new Promise<number | null>((resolve) => {
    // A shell, since the variable may hold arguments: EDITOR='code --wait'.
    const child = spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' });
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
  if (code === 0) return readFile(file, 'utf8');
  printError(`The editor '${editor}' ended with ${code ?? 'an error'}`, `Nothing was changed. The text is in ${file}`);
  return undefined;
}

type Fetched = { document: { documentType: string; documentId: string; data: unknown }; version?: string | undefined };
type Edited = { before: string; edited: string; file: string; json: boolean };

/** Writes what was edited. Where that fails, the text is kept for the person. */
async function save(open: Open, fetched: Fetched, { before, edited, file, json }: Edited): Promise<'done' | 'kept'> {
  if (edited === before) {
    print('Nothing was changed.');
    return 'done';
  }
  const value = parsed(edited);
  if (value instanceof Error) {
    printError(`The text is not JSON: ${value.message}`, `Nothing was changed. Your text is kept in ${file}`);
    return 'kept';
  }
  const envelope = await open((session) => session.callUntyped('update_document', changeTo(fetched, value)));
  if (!json && envelope.success) print(`${safe(String((envelope as Envelope & { content: string }).content))}.`);
  else answer(envelope, json);
  if (!envelope.success) printNote(`Your text is kept in ${file}`);
  return envelope.success ? 'done' : 'kept';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    return thrown;
  }
}

/** The whole document anew, unless it is another by now: by its version, or by its content where there is none. */
function changeTo({ document, version }: Fetched, value: unknown): object {
  const { documentType, documentId, data } = document;
  const replace = { op: 'replace', path: '', value };
  return version === undefined
    ? { documentType, documentId, patch: [{ op: 'test', path: '', value: data }, replace] }
    : { documentType, documentId, patch: [replace], version };
}
