// @ts-check
// Asks OmniFocus while this process has no free file descriptor, and again when it has. A process of its own,
// because no test could run beside it.
import { closeSync, openSync } from 'node:fs';
import { openOmniFocus } from '../../dist/providers/omnifocus/application.js';
import { omnifocusFolders } from '../../dist/providers/omnifocus/folders.js';

const port = omnifocusFolders(openOmniFocus({ env: process.env, timeoutMs: 60_000 }), { dryRun: false });
const list = () => port.list({ includeChildren: true });

/** @type {number[]} */
const taken = [];
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch {
  // None is left.
}
const without = await list().catch((thrown) => thrown.message);
taken.forEach(closeSync);
process.stdout.write(JSON.stringify({ without, after: await list() }));
