#!/usr/bin/env node
/** The command line's first file. It loads nothing that the command does not need. */
import module from 'node:module';
import { packageVersion } from '../version.js';

const args = process.argv.slice(2);

if (args[0] === '--version' || args[0] === '-v') process.stdout.write(`${packageVersion()}\n`);
else {
  // Newer versions of Node keep compiled code between runs, which saves a good part of the start. A server
  // starts once and must touch nothing; the quickstart leaves nothing behind.
  if (!['mcp', 'serve', 'quickstart'].includes(args[0] ?? ''))
    (module as { enableCompileCache?: () => void }).enableCompileCache?.();
  const { run } = await import('./run.js');
  process.exitCode = await run(args);
}
