import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeAll } from '../../src/cli/output.js';
import { mainFile, scratchEnv, scratchFolder } from '../support/scratch.js';

test('G60 all of an answer is written, also into a pipe that takes a part of it, or is not ready', () => {
  const written: number[] = [];
  let calls = 0;
  const reluctant = (_descriptor: number, bytes: Uint8Array, from: number) => {
    calls++;
    if (calls % 2 === 1) throw Object.assign(new Error('not now'), { code: 'EAGAIN' });
    const part = bytes.subarray(from, from + 3);
    written.push(...part);
    return part.length;
  };
  writeAll(1, Buffer.from('0123456789'), reluctant);
  expect(Buffer.from(written).toString()).toBe('0123456789');
  const broken = () => {
    throw Object.assign(new Error('gone'), { code: 'EIO' });
  };
  expect(() => writeAll(1, Buffer.from('x'), broken)).toThrow('gone');
});

/** Runs a line of a shell, with the command line as $AI. */
function shell(line: string, folder: string) {
  const AI = `"${process.execPath}" "${mainFile}"`;
  const child = spawn('sh', ['-c', line.replaceAll('$AI', AI)], {
    env: scratchEnv(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
}

test.runIf(process.platform !== 'win32')(
  'G60 an answer reaches a slow reader and a file whole, and a reader may leave early',
  async () => {
    const folder = scratchFolder();
    const file = path.join(folder, 'tools.json');
    const slow = await shell('$AI tools --json | (sleep 0.3; cat)', folder);
    expect(slow).toMatchObject({ code: 0, stderr: '' });
    expect(slow.stdout.length).toBeGreaterThan(70_000);
    expect(JSON.parse(slow.stdout)).toHaveProperty('length');
    await shell(`$AI tools --json > "${file}"`, folder);
    expect(readFileSync(file, 'utf8')).toBe(slow.stdout);
    const early = await shell('{ $AI tools --json; echo "code $?" >&2; } | head -c 10', folder);
    expect(early.stderr).toBe('code 0\n');
    expect(early.stdout).toBe(slow.stdout.slice(0, 10));
  },
);

test.runIf(process.platform === 'linux')(
  'G61 an answer that cannot be written is an error, told in two lines',
  async () => {
    const full = await shell('$AI tools > /dev/full', scratchFolder());
    expect(full.code).toBe(1);
    expect(full.stderr).toMatch(
      /^Error: The answer cannot be written: ENOSPC.*\nNext: {2}Write it to another place\.\n$/,
    );
  },
);
