// @ts-check
/** One agent at the front door: every call is checked as usual, and each change names the latest version. */
import { openWorkspace } from '../../dist/index.js';
import { scratchEnv } from './scratch.mjs';

/** @typedef {import('./raw.mjs').Driver} Driver */
/** @typedef {Record<string, unknown>} Fields */

/**
 * @typedef {object} Client
 * @property {(tool: string, input: Fields) => Promise<any>} read Throws where the call fails.
 * @property {(tool: string, input: Fields) => Promise<any>} change The same, with the version of the call before.
 * @property {(tool: string, input: Fields) => Promise<any>} attempt The answer, whatever it is.
 * @property {() => Promise<void>} close
 */

/**
 * @param {Driver} driver
 * @param {string} file
 * @param {string} scratch
 * @returns {Promise<Client>}
 */
export async function openClient(driver, file, scratch) {
  const workspace = await openWorkspace({
    env: scratchEnv(scratch),
    settings: {
      database: file,
      'sqlite.driver': /** @type {'node' | 'libsql'} */ (driver.name),
      'limits.callsPerMinute': 0,
      'audit.reads': false,
      'agent.name': 'bench',
    },
  });
  const session = workspace.session();
  /** @type {unknown} */
  let version;
  /** @type {Client['read']} */
  const read = async (tool, input) => {
    const answer = await session.callUntyped(tool, input);
    if (!answer.success) throw new Error(`${tool}: ${JSON.stringify(answer)}`);
    return answer;
  };
  /** @type {Client['change']} */
  const change = async (tool, input) => {
    version ??= (await read('get_node', { nodeId: 'library' })).version;
    const answer = await read(tool, { ...input, version });
    version = answer.version;
    return answer;
  };
  return { read, change, attempt: (tool, input) => session.callUntyped(tool, input), close: () => workspace.close() };
}
