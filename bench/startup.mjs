// @ts-check
/** Commands from start to end as processes of their own, against a Node that does nothing. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { race } from './support/measure.mjs';
import { inScratchFolder, machine, scratchEnv } from './support/scratch.mjs';
import { ratioTable } from './support/table.mjs';

const mainFile = path.resolve(import.meta.dirname, '../dist/cli/main.cjs');
const options = /** @type {const} */ ({ rounds: { type: 'string', default: '15' } });
const commands = [['--version'], ['tools'], ['tool', 'list_folders']];

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({ args, options });
  console.log(`${values.rounds} rounds: ${machine()}\n`);
  await inScratchFolder(async (scratch) => {
    const start = starter(scratch);
    // The library is there before the first round: what counts is the everyday start.
    start([mainFile, 'tool', 'list_folders']);
    const programs = [['-e', '0'], ...commands.map((command) => [mainFile, ...command])];
    const contestants = programs.map((program) => ({ call: () => start(program) }));
    const results = await race(contestants, Number(values.rounds), () => [0]);
    const [bare = [], ...times] = results.map((rounds) => rounds.map((round) => round.mean));
    const rows = commands.map((command, index) => ({
      label: `\`ai-assist ${command.join(' ')}\``,
      times: [times[index] ?? [], bare],
    }));
    console.log(ratioTable('start to end', ['command', 'bare node'], rows));
  });
}

/** @param {string} scratch */
function starter(scratch) {
  const env = { ...scratchEnv(scratch), AI_ASSIST_SQLITE_DRIVER: process.env.AI_ASSIST_SQLITE_DRIVER };
  /** @param {string[]} args */
  return (args) => {
    const { status, stderr } = spawnSync(process.execPath, args, { env });
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  };
}
