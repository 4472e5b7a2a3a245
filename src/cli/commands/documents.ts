import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { documentTools } from '../../tools/documents/index.js';
import type { Envelope, Session } from '../../workspace.js';
import { actionNamed } from '../actions.js';
import { type ExitCode, UsageError } from '../command.js';
import { readJson } from '../flags.js';
import { usage } from '../options.js';
import { answer } from '../render.js';
import { withSession } from '../session.js';
import { boxed, print, printJson, safe } from '../terminal.js';
import { editDocument } from './documents-edit.js';

const options = {
  type: { type: 'string' },
  folder: { type: 'string' },
  'only-folder': { type: 'boolean' },
  filter: { type: 'string' },
  limit: { type: 'string' },
  page: { type: 'string' },
  path: { type: 'string', multiple: true },
  updates: { type: 'string' },
  operations: { type: 'string' },
  patch: { type: 'string' },
  version: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

type Flag = keyof typeof options;
export type Given = ReturnType<typeof parse>['values'];
type Action = { flags: Flag[]; words: number; run: (words: string[], given: Given) => Promise<ExitCode> };

const parse = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

const actions: Record<string, Action> = {
  list: { flags: ['type', 'folder', 'only-folder', 'filter', 'limit', 'page'], words: 0, run: list },
  get: { flags: ['type', 'path'], words: 1, run: get },
  create: { flags: ['folder', 'dry-run'], words: 2, run: create },
  update: {
    flags: ['type', 'updates', 'operations', 'patch', 'version', 'dry-run'],
    words: 2,
    run: update,
  },
  delete: { flags: ['type', 'version', 'dry-run'], words: 1, run: remove },
  types: { flags: [], words: 0, run: types },
  edit: { flags: ['type'], words: 1, run: edit },
};

export async function run([name, ...args]: string[]): Promise<ExitCode> {
  const action = actionNamed('documents', actions, name);
  const allowed = Object.fromEntries([...action.flags, 'json' as const].map((flag) => [flag, options[flag]]));
  const read = () => parseArgs({ args, options: allowed, allowPositionals: true }) as ReturnType<typeof parse>;
  const { values, positionals } = usage(read);
  if (positionals.length > action.words)
    throw new UsageError(`Unexpected word '${positionals[action.words]}'`, 'Add --help to see how it is used.');
  return action.run(positionals, values);
}

const given = (input: object) => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

/** One session for a command, with the tools of documents only. */
export const open = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
  withSession(work, { tools: documentTools });

function call(tool: string, input: object, { json }: Given, show: (done: Envelope) => void): Promise<ExitCode> {
  return open(async (session) => shown(await session.callUntyped(tool, given(input)), json === true, show));
}

function shown(envelope: Envelope, json: boolean, show: (done: Envelope) => void): ExitCode {
  if (json || !envelope.success) return answer(envelope, json);
  show(envelope);
  return 0;
}

const said = (text: string, dryRun: boolean | undefined) => (dryRun ? `Dry run, nothing is kept: ${text}` : text);

export function idFrom(words: readonly string[], command: string): string {
  const [id] = words;
  if (id === undefined) throw new UsageError('The id of the document is missing', `Write documents ${command} ID.`);
  return id;
}

type Line = { documentId: string; documentType: string; name?: string; folderId: string | null };

function list(_words: string[], values: Given): Promise<ExitCode> {
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  if (Number.isNaN(limit)) throw new UsageError(`--limit '${values.limit}' is not a number`, 'Write --limit 20.');
  const input = {
    documentType: values.type,
    folderId: values.folder,
    includeChildren: values['only-folder'] ? false : undefined,
    filter: values.filter === undefined ? undefined : readJson('--filter', values.filter),
    limit,
    pageToken: values.page,
  };
  return call('list_documents', input, values, ({ documents, nextPageToken }) => {
    const rows = (documents as Line[]).map(({ documentId, documentType, name = '', folderId }) =>
      [documentId, documentType, name, folderId ?? ''].map(safe),
    );
    print(rows.length > 0 ? boxed([['Id', 'Type', 'Name', 'Folder'], ...rows]) : 'No documents.');
    if (nextPageToken !== undefined) print(`There are more. Next: add --page ${nextPageToken}`);
  });
}

async function get(words: string[], values: Given): Promise<ExitCode> {
  const input = { documentId: idFrom(words, 'get'), documentType: values.type, paths: values.path };
  return call('get_document', input, values, ({ document }) => printJson((document as { data: unknown }).data, 2));
}

async function create([documentType, file]: string[], values: Given): Promise<ExitCode> {
  if (documentType === undefined)
    throw new UsageError('The type of the document is missing', 'Write documents create TYPE FILE.');
  const data = await jsonFrom(file, 'documents create TYPE FILE');
  const input = { documentType, data, folderId: values.folder, dryRun: values['dry-run'] };
  return call('create_document', input, values, ({ documentId }) =>
    print(said(`Created ${safe(String(documentId))}.`, values['dry-run'])),
  );
}

async function update(words: string[], values: Given): Promise<ExitCode> {
  const documentId = idFrom(words, 'update');
  const changes = await changesFrom(words[1], values);
  const { version, 'dry-run': dryRun, type } = values;
  return open(async (session) => {
    const found = await typeOf(session, documentId, type);
    if (typeof found !== 'string') return answer(found, values.json === true);
    const input = given({ documentType: found, documentId, ...changes, version, dryRun });
    const done = await session.callUntyped('update_document', input);
    return shown(done, values.json === true, ({ content }) => print(said(`${safe(String(content))}.`, dryRun)));
  });
}

/** The type that was given, or that the document has; or why that cannot be told. */
async function typeOf(session: Session, documentId: string, type: string | undefined): Promise<string | Envelope> {
  if (type !== undefined) return type;
  const fetched = await session.call('get_document', { documentId });
  return fetched.success ? fetched.document.documentType : fetched;
}

const parts = ['updates', 'operations', 'patch'] as const;

/** Changes come by flags, or as one JSON: an array is a patch, an object holds the parts or is the updates itself. */
async function changesFrom(file: string | undefined, values: Given): Promise<object> {
  const flags = parts.filter((part) => values[part] !== undefined);
  if (flags.length > 0 && file === undefined) {
    return Object.fromEntries(flags.map((part) => [part, readJson(`--${part}`, values[part] as string)]));
  }
  if (flags.length > 0)
    throw new UsageError(`The changes are given twice: '${file}' and --${flags[0]}`, 'Give a file, or flags.');
  const read = await jsonFrom(file, 'documents update ID FILE');
  if (Array.isArray(read)) return { patch: read };
  const keys = typeof read === 'object' && read !== null ? Object.keys(read) : [];
  const isWhole = keys.length > 0 && keys.every((key) => parts.some((part) => part === key));
  return isWhole ? (read as object) : { updates: read };
}

/** JSON from a file, or from standard input for -, or where nothing is named and no one types. */
async function jsonFrom(file: string | undefined, example: string): Promise<unknown> {
  if (file === undefined && process.stdin.isTTY)
    throw new UsageError('The JSON is missing', `Write ${example}, or - to read from standard input.`);
  if (file === undefined || file === '-') return readJson('Standard input', await text(process.stdin));
  try {
    return readJson(file, await readFile(file, 'utf8'));
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    throw new UsageError(`Cannot read '${file}': ${(thrown as Error).message}`, 'Name a file that is there.');
  }
}

async function remove(words: string[], values: Given): Promise<ExitCode> {
  const { type: documentType, version, 'dry-run': dryRun } = values;
  const input = { documentId: idFrom(words, 'delete'), documentType, version, dryRun };
  return call('delete_document', input, values, ({ documentType, name, documentId }) =>
    print(said(`Deleted the ${safe(String(documentType))} ${safe(String(name ?? documentId))}.`, dryRun)),
  );
}

type TypeLine = {
  documentType: string;
  schema: object | null;
  allowedParents: string[] | null;
  selfPayload: boolean;
  nodes?: number;
};

function types(_words: string[], values: Given): Promise<ExitCode> {
  return call('list_document_types', {}, values, ({ types }) => {
    const ofDocuments = (types as TypeLine[]).filter(({ selfPayload }) => !selfPayload);
    const rows = ofDocuments.map(({ documentType, schema, allowedParents, nodes }) =>
      [documentType, String(nodes ?? ''), schema ? 'yes' : 'no', allowedParents?.join(', ') ?? 'any'].map(safe),
    );
    print(
      rows.length > 0
        ? boxed([['Type', 'Documents', 'Schema', 'Stands below'], ...rows])
        : 'There are no types yet. Next: ai-assist tool define_document_type --document-type note',
    );
  });
}

async function edit(words: string[], values: Given): Promise<ExitCode> {
  return editDocument(open, { documentId: idFrom(words, 'edit'), documentType: values.type }, values.json === true);
}
