// @ts-check
// The example library of the documentation: small, and the same on every machine and at every time.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openWorkspace } from '../dist/index.js';

/** @typedef {import('../dist/index.js').Envelope} Envelope */

const ids = ['projects', 'archive', 'guides', 'style', 'payload-of-style', 'start'];
const start = Date.UTC(2025, 0, 15, 9, 0, 0);

// A person's own configuration file must not change what the documentation says.
const nowhere = path.join(import.meta.dirname, 'no-configuration');
const env = { HOME: nowhere, APPDATA: nowhere, AI_ASSIST_SQLITE_DRIVER: process.env.AI_ASSIST_SQLITE_DRIVER };

/** Each call comes a second after the one before it. */
function tickingClock() {
  let time = start;
  return () => {
    time += 1000;
    return time;
  };
}

const guide = `# Guide

How folders are used here.

## Names

A folder's name says what is in it. Names are short.
`;

/**
 * The project that the examples belong to, anew: a folder of documents, a manifest, and a project file.
 * @param {string} folder
 */
export function makeExampleProject(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'docs'), { recursive: true });
  writeFileSync(path.join(folder, 'docs', 'guide.md'), guide);
  const manifest = { name: 'house-rules', version: '1.0.0', sources: { glob: ['docs/*.md'] } };
  writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
  const collections = {
    docs: { type: 'file', path: './docs', glob: '**/*.md' },
    house: { type: 'group', description: 'The rules of the house', categories: ['guides'] },
  };
  const categories = {
    guides: { collection: 'docs', patterns: ['**/guide'] },
    names: { patterns: ['**/*name*'] },
  };
  writeFileSync(path.join(folder, 'context.json'), `${JSON.stringify({ collections, categories }, null, 2)}\n`);
}

const noteType = {
  documentType: 'note',
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, stars: { type: 'number' }, tags: { type: 'array' } },
    required: ['name'],
  },
};

const styleNote = { name: 'Style', stars: 3, tags: ['writing'] };

/** The calls that fill an empty library, each with the arguments that it needs. A version is added where one is needed. */
const filling = [
  ['add_folder', { name: 'Projects' }],
  ['add_folder', { name: 'Archive' }],
  ['add_folder', { name: 'Guides', position: { placement: 'ending', relativeTo: 'projects' } }],
  ['define_document_type', noteType],
  ['add_child', { parentNodeId: 'guides', payloadType: 'note', payloadProps: styleNote }],
  ['tag_node', { nodeId: 'style', tags: ['draft'] }],
  ['bookmark', { nodeId: 'archive', label: 'inbox' }],
  ['snapshot_create', { label: 'Start' }],
  ['collection_sync', { name: 'docs' }],
];

/** @typedef {{ callUntyped(name: string, input: unknown): Promise<Envelope>, tools(): readonly { name: string, versionRule: string, example: { input: Record<string, unknown> } }[] }} AnySession */

/**
 * The input with the version that the library now has, for tools that ask for one.
 * @param {AnySession} session
 * @param {string} name
 * @param {unknown} input
 */
export async function withVersion(session, name, input) {
  const asks = session.tools().some((tool) => tool.name === name && tool.versionRule === 'required');
  if (!asks) return /** @type {Record<string, unknown>} */ (input);
  const { version } = await session.callUntyped('list_folders', {});
  return { .../** @type {object} */ (input), version };
}

/** A source of ids that gives the example library the ids that its examples name. */
export function exampleIds() {
  let made = 0;
  return () => {
    made += 1;
    return ids[made - 1] ?? `new-${made - ids.length}`;
  };
}

/**
 * library > projects > guides > style (a note, tagged draft); library > archive (bookmarked inbox); a snapshot, start.
 * @param {AnySession} session
 */
export async function fillExampleLibrary(session) {
  for (const [name, input] of /** @type {[string, object][]} */ (filling)) {
    const answer = await session.callUntyped(name, await withVersion(session, name, input));
    if (!answer.success) throw new Error(`${name}: ${answer.error}`);
  }
}

export async function openExampleLibrary() {
  const project = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-example-'));
  makeExampleProject(project);
  const workspace = await openWorkspace({
    settings: { database: ':memory:', 'limits.callsPerMinute': 0, 'audit.reads': false },
    env,
    now: tickingClock(),
    newId: exampleIds(),
  });
  const session = workspace.session({ agent: 'ada', role: 'owner', project });
  await fillExampleLibrary(session);
  const close = async () => {
    await workspace.close();
    rmSync(project, { recursive: true, force: true });
  };
  return { session, project, close };
}

/**
 * An answer without what differs from machine to machine: the project's place, what is made from it, and real times.
 * @param {Envelope} answer
 * @param {string} project
 * @returns {Envelope}
 */
function settled(answer, project) {
  const text = JSON.stringify(answer)
    .replaceAll(JSON.stringify(project).slice(1, -1), '/home/ada/house-rules')
    .replace(/file:[0-9a-f]{64}/g, 'file:3f1c…')
    .replace(/("(?:indexedAt|lastSyncAt)":")[^"]*/g, '$12025-01-15T09:00:00.000Z');
  return JSON.parse(text);
}

/**
 * Makes the calls that a tool's example builds on.
 * @param {AnySession} session
 * @param {{ example: { after?: readonly string[] } }} tool
 */
export async function prepareExample(session, { example }) {
  for (const name of example.after ?? []) {
    const earlier = session.tools().find((tool) => tool.name === name);
    await session.callUntyped(name, await withVersion(session, name, earlier?.example.input));
  }
}

/**
 * A tool's example with the real answer to it, on an example library of its own.
 * @param {{ name: string, example: { input: Record<string, unknown>, after?: readonly string[] } }} tool
 * @returns {Promise<{ input: Record<string, unknown>, answer: Envelope }>}
 */
export async function runExample(tool) {
  const { session, project, close } = await openExampleLibrary();
  try {
    await prepareExample(session, tool);
    const input = await withVersion(session, tool.name, tool.example.input);
    return { input, answer: settled(await session.callUntyped(tool.name, input), project) };
  } finally {
    await close();
  }
}
