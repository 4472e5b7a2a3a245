// @ts-check
/** MCP under load: what a call costs beyond the protocol, many clients on one database, and memory over time. */
import { parseArgs } from 'node:util';
import { legacyClient, modernClient, residentMegabytes, serveEcho, serveLibrary, stdioClient } from './support/mcp.mjs';
import { quantile, race } from './support/measure.mjs';
import { inScratchFolder, machine, scratchEnv } from './support/scratch.mjs';
import { ratioTable } from './support/table.mjs';

const options = /** @type {const} */ ({
  rounds: { type: 'string', default: '10' },
  clients: { type: 'string', default: '32' },
  processes: { type: 'string', default: '8' },
  calls: { type: 'string', default: '100000' },
});

/** @param {string[]} args */
export async function run(args) {
  const { values } = parseArgs({ args, options });
  console.log(`${machine()}\n`);
  await inScratchFolder(async (scratch) => {
    const env = {
      ...scratchEnv(scratch),
      AI_ASSIST_CALLS_PER_MINUTE: '0',
      AI_ASSIST_SQLITE_DRIVER: process.env.AI_ASSIST_SQLITE_DRIVER,
    };
    const served = await serveLibrary(env);
    const echo = await serveEcho();
    try {
      await overhead(served.url, echo.url, env, Number(values.rounds));
      await crowd(served.url, env, Number(values.clients), Number(values.processes));
      await memory(served, Number(values.calls), Number(values.clients));
    } finally {
      await Promise.all([served.stop(), echo.stop()]);
    }
  });
}

/** One call after the other, against a server that only echoes. @param {string} url @param {string} echoUrl @param {NodeJS.ProcessEnv} env @param {number} rounds */
async function overhead(url, echoUrl, env, rounds) {
  const pairs = [
    { label: 'HTTP', library: modernClient(url), echo: modernClient(echoUrl) },
    { label: 'stdio', library: stdioClient('library', env), echo: stdioClient('echo', env) },
  ];
  const rows = [];
  for (const { label, library, echo } of pairs) {
    const contestants = [
      { call: () => library.call('get_node', { nodeId: 'library' }) },
      { call: () => library.call('add_folder', { name: 'x' }) },
      { call: () => echo.call('echo', { success: true, folders: [], version: 'r0' }) },
    ];
    const results = await race(contestants, rounds, () => Array.from({ length: 200 }, (_, index) => index));
    const [read = [], written = [], bare = []] = results.map((all) => all.map(({ median }) => median));
    rows.push({ label: `\`get_node\`, ${label}`, times: [read, bare] });
    rows.push({ label: `\`add_folder\`, durable, ${label}`, times: [written, bare] });
    library.close();
    echo.close();
  }
  console.log(ratioTable('one call', ['ai-assist', 'bare SDK echo'], rows));
}

/** @typedef {{ reads: number[], writes: number[], errors: number }} Tally Milliseconds a call. */

/** Clients that all work at once: four reads to one durable change. @param {import('./support/mcp.mjs').Client} client @param {number} calls @returns {Promise<Tally>} */
async function work(client, calls) {
  /** @type {Tally} */
  const tally = { reads: [], writes: [], errors: 0 };
  for (let index = 0; index < calls; index++) {
    const isWrite = index % 5 === 4;
    const begin = performance.now();
    try {
      await (isWrite
        ? client.call('add_folder', { name: `f${index}` })
        : client.call('get_node', { nodeId: 'library' }));
      (isWrite ? tally.writes : tally.reads).push(performance.now() - begin);
    } catch (thrown) {
      if (tally.errors++ === 0) console.error(thrown);
    }
  }
  return tally;
}

/** @param {string} url @param {NodeJS.ProcessEnv} env @param {number} clients @param {number} processes */
async function crowd(url, env, clients, processes) {
  const overHttp = await Promise.all(
    Array.from({ length: clients }, (_, index) => (index % 2 === 0 ? modernClient(url) : legacyClient(url))),
  );
  const overStdio = Array.from({ length: processes }, () => stdioClient('library', env));
  // A process counts from its first answer on: its start is another benchmark.
  await Promise.all(overStdio.map((client) => client.call('list_folders', {})));
  const begin = performance.now();
  const [http, stdio] = await Promise.all([
    Promise.all(overHttp.map((client) => work(client, 200))),
    Promise.all(overStdio.map((client) => work(client, 200))),
  ]);
  const seconds = (performance.now() - begin) / 1000;
  for (const client of [...overHttp, ...overStdio]) client.close();
  console.log(
    `\n${clients} HTTP clients and ${processes} stdio processes at once on one database, 200 calls each: ${seconds.toFixed(1)} s\n`,
  );
  console.log('| calls | count | p50 | p99 | errors |\n| --- | ---: | ---: | ---: | ---: |');
  for (const [label, tallies] of /** @type {[string, Tally[]][]} */ ([
    ['HTTP', http],
    ['stdio', stdio],
  ])) {
    const errors = tallies.reduce((sum, tally) => sum + tally.errors, 0);
    console.log(
      latencyRow(
        `${label}, reads`,
        tallies.flatMap(({ reads }) => reads),
        errors,
      ),
    );
    console.log(
      latencyRow(
        `${label}, durable changes`,
        tallies.flatMap(({ writes }) => writes),
        errors,
      ),
    );
  }
}

/** @param {string} label @param {number[]} times @param {number} errors */
const latencyRow = (label, times, errors) =>
  `| ${label} | ${times.length} | ${quantile(times, 0.5).toFixed(1)} ms | ${quantile(times, 0.99).toFixed(1)} ms | ${errors} |`;

/** Calls of all kinds, with sessions that come and go. @param {import('./support/mcp.mjs').Served} served @param {number} calls @param {number} clients */
async function memory({ url, pid }, calls, clients) {
  const each = Math.ceil(calls / 10 / clients);
  const samples = [residentMegabytes(pid)];
  let errors = 0;
  for (let part = 0; part < 10; part++) {
    const tallies = await Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const client = index % 2 === 0 ? modernClient(url) : await legacyClient(url);
        let failed = 0;
        for (let call = 0; call < each; call++)
          await client.call('get_node', { nodeId: 'library' }).catch(() => failed++);
        // Every other session is left open, as clients do that are closed without a word.
        if ('end' in client && index % 4 === 1) await /** @type {{ end(): Promise<void> }} */ (client).end();
        client.close();
        return failed;
      }),
    );
    errors += tallies.reduce((sum, failed) => sum + failed, 0);
    samples.push(residentMegabytes(pid));
  }
  console.log(`\nMemory of the server over ${each * clients * 10} calls, ${errors} errors, in MB after each tenth:\n`);
  console.log(samples.map((sample) => sample.toFixed(0)).join(' → '));
}
