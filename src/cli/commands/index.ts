import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Envelope } from '../../workspace.js';
import { actionNamed } from '../actions.js';
import type { ExitCode } from '../command.js';
import { usage } from '../options.js';
import { answer } from '../render.js';
import { withSession } from '../session.js';
import { boxed, print, printJson, safe } from '../terminal.js';

const options = { project: { type: 'string' }, json: { type: 'boolean' } } as const;

const actions = { status };

export async function run([name, ...args]: string[]): Promise<ExitCode> {
  return actionNamed('index', actions, name)(args);
}

async function status(args: string[]): Promise<ExitCode> {
  const { values } = usage(() => parseArgs({ args, options }));
  const project = values.project === undefined ? undefined : path.resolve(values.project);
  return withSession(
    async (session) => {
      const envelope = await session.callUntyped('index_status', {});
      if (!envelope.success || values.json) return answerAs(envelope, values.json ?? false);
      show(envelope);
      return 0;
    },
    { project },
  );
}

function answerAs(envelope: Envelope, json: boolean): ExitCode {
  if (json) printJson(envelope, 2);
  else return answer(envelope, false);
  return envelope.success ? 0 : 1;
}

type Row = { collection: string; alias?: string; documents: number; chunks: number; embedded: number };

function show({ embedder, engine, chunks, embedded, pending, bytes, process, fault, collections }: Envelope): void {
  const rows = (collections as Row[]).map((row) => [
    safe(row.alias ?? shortened(row.collection)),
    String(row.documents),
    String(row.chunks),
    `${row.embedded} (${share(row.embedded, row.chunks)})`,
  ]);
  if (rows.length > 0) print(boxed([['Collection', 'Documents', 'Chunks', 'With a vector'], ...rows]));
  if (embedder === 'none') {
    print(`${chunks} chunks can be found by words. Search by meaning is off (search.embedder is none).`);
    return;
  }
  print(`Embedder: ${safe(String(embedder))} (${safe(String(engine))})`);
  const size = `${(Number(bytes) / 1_000_000).toFixed(1)} MB`;
  print(`Vectors: ${embedded} of ${chunks} chunks (${share(Number(embedded), Number(chunks))}), ${size}`);
  if (process !== undefined) print(`Process ${process} is embedding; ${pending} texts are left.`);
  else if (Number(pending) > 0) print(`${pending} texts are left. Next: ai-assist collections sync --wait`);
  if (fault !== undefined) print(`Last fault: ${safe(String(fault))}`);
}

const share = (part: number, whole: number): string => `${whole === 0 ? 100 : Math.floor((100 * part) / whole)}%`;
const WIDEST = 40;
const shortened = (id: string) => (id.length > WIDEST ? `${id.slice(0, 24)}…${id.slice(-15)}` : id);
