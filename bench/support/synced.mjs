// @ts-check
/** A project with one folder of documents, synced through the front door. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openWorkspace } from '../../dist/index.js';
import { scratchEnv } from './scratch.mjs';

/**
 * @typedef {object} Synced
 * @property {() => Promise<any>} sync Throws where it fails. Answers the result of the collection.
 * @property {() => Promise<void>} close
 */

/**
 * @param {object} place
 * @param {string} place.scratch For the project file and the settings.
 * @param {string} place.database
 * @param {string} place.folder
 * @param {string} place.glob
 * @param {string} place.driver
 * @returns {Promise<Synced>}
 */
export async function openSynced({ scratch, database, folder, glob, driver }) {
  const project = path.join(scratch, 'project');
  mkdirSync(project, { recursive: true });
  const collections = { docs: { type: 'file', path: folder, glob } };
  writeFileSync(path.join(project, 'context.json'), JSON.stringify({ collections }));
  const workspace = await openWorkspace({
    env: scratchEnv(scratch),
    settings: {
      database,
      'sqlite.driver': /** @type {'node' | 'libsql'} */ (driver),
      'limits.callsPerMinute': 0,
      'agent.name': 'bench',
    },
  });
  const session = workspace.session({ project });
  return {
    sync: async () => {
      const answer = await session.call('collection_sync', { name: 'docs' });
      if (!answer.success) throw new Error(JSON.stringify(answer));
      return answer.results[0];
    },
    close: () => workspace.close(),
  };
}
