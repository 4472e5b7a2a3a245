// Runs the protocol's own conformance suite against `ai-assist serve`, for both eras. It needs Node 22 or newer.
// What may fail is listed in conformance-fixtures.json, with what it needs; an entry that no longer fails is an error too.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fixtures from './conformance-fixtures.json' with { type: 'json' };

const revisions = ['2025-11-25', '2026-07-28'];
const root = path.dirname(import.meta.dirname);
const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** @typedef {{ revision: string, scenario: string, id: string, status: string, errorMessage?: string }} Check */

/** Starts a server on a scratch library. @param {string} home @returns {Promise<{ url: string, stop: () => void }>} */
function startServer(home) {
  const env = { PATH: process.env.PATH, HOME: home, AI_ASSIST_DATABASE: path.join(home, 'library.db') };
  const args = [path.join(root, 'dist/cli/main.cjs'), 'serve', '--port', '0', '--toolsets', 'all'];
  const child = spawn(process.execPath, args, { env, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with code ${code}.`)));
    child.stderr.setEncoding('utf8').on('data', (text) => {
      const [url] = /http:\S+/.exec(text) ?? [];
      if (url) resolve({ url, stop: () => child.kill() });
    });
  });
}

/** Runs all scenarios of a revision and reads what each check gave. @param {string} url @param {string} revision @param {string} results @returns {Check[]} */
function runSuite(url, revision, results) {
  const args = [suite, 'server', '--url', url, '--requirements', revision, '-o', results];
  const { error } = spawnSync(process.execPath, args, { stdio: 'ignore', timeout: 300_000 });
  if (error) throw error;
  return readdirSync(results).flatMap((folder) => {
    const scenario = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const checks = JSON.parse(readFileSync(path.join(results, folder, 'checks.json'), 'utf8'));
    return checks.map((/** @type {Check} */ check) => ({ ...check, revision, scenario }));
  });
}

const excused = Object.entries(fixtures).flatMap(([reason, scenarios]) =>
  Object.entries(scenarios).map(([scenario, checks]) => ({ reason, scenario, checks })),
);

/** @param {Check} check */
const excuseOf = ({ scenario, id }) =>
  excused.find((entry) => entry.scenario === scenario && (entry.checks === '*' || entry.checks.includes(id)));

const home = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-conformance-'));
const server = await startServer(home);
let checks = [];
try {
  checks = revisions.flatMap((revision) => runSuite(server.url, revision, path.join(home, revision)));
} finally {
  server.stop();
  rmSync(home, { recursive: true, force: true });
}

const failed = checks.filter(({ status }) => status === 'FAILURE');
const unexcused = failed.filter((check) => !excuseOf(check));
const stale = excused.filter(({ scenario, checks: ids }) =>
  ids === '*'
    ? !failed.some((check) => check.scenario === scenario)
    : !failed.some((check) => check.scenario === scenario && ids.includes(check.id)),
);
for (const revision of revisions) {
  const ran = checks.filter((check) => check.revision === revision);
  const passed = ran.filter(({ status }) => status === 'SUCCESS').length;
  const needing = failed.filter((check) => check.revision === revision && excuseOf(check)).length;
  const clean = new Set(ran.map(({ scenario }) => scenario));
  for (const check of failed) if (check.revision === revision) clean.delete(check.scenario);
  console.log(
    `${revision}: ${passed} checks passed, ${needing} need fixtures; without a failure: ${[...clean].join(', ')}`,
  );
}
for (const { revision, scenario, id, errorMessage } of unexcused) {
  console.error(`FAILED ${revision} ${scenario} ${id}: ${errorMessage ?? ''}`);
}
for (const { scenario } of stale)
  console.error(`${scenario} no longer fails: take it out of conformance-fixtures.json.`);
if (checks.length === 0) console.error('No check ran.');
if (unexcused.length + stale.length > 0 || checks.length === 0) process.exit(1);
