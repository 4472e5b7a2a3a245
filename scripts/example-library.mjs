// @ts-check
// The example library of the documentation: small, and the same on every machine and at every time.
import path from 'node:path';
import { openWorkspace } from '../dist/index.js';

/** @typedef {import('../dist/index.js').Envelope} Envelope */
/** @typedef {import('../dist/tools/define.js').Tool} Tool */

const ids = ['projects', 'archive', 'guides'];
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

function fixedIds() {
  let made = 0;
  return () => {
    made += 1;
    return ids[made - 1] ?? `new-${made - ids.length}`;
  };
}

/** Two folders at the top, projects and archive, and one more, guides, inside projects. */
export async function openExampleLibrary() {
  const workspace = await openWorkspace({
    settings: { database: ':memory:', 'limits.callsPerMinute': 0 },
    env,
    now: tickingClock(),
    newId: fixedIds(),
  });
  const session = workspace.session({ agent: 'ada', role: 'owner' });
  await session.call('add_folder', { name: 'Projects' });
  await session.call('add_folder', { name: 'Archive' });
  await session.call('add_folder', { name: 'Guides', position: { placement: 'ending', relativeTo: 'projects' } });
  return { session, close: () => workspace.close() };
}

/**
 * The real answer to a tool's example, on an example library of its own.
 * @param {Tool} tool
 * @returns {Promise<Envelope>}
 */
export async function runExample(tool) {
  const { session, close } = await openExampleLibrary();
  try {
    return await session.callUntyped(tool.name, tool.example.input);
  } finally {
    await close();
  }
}
