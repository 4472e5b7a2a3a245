import { expect, test } from 'vitest';
import { cli, scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

test('M6 tokens are made, listed and revoked, and shown once', async () => {
  const folder = scratchFolder();
  const env = scratchEnv(folder);
  const args = [
    '--agent',
    'ada',
    '--role',
    'reader',
    '--toolsets',
    'folders,audit',
    '--project',
    folder,
    '--expires',
    '30d',
  ];
  const made = await cli(['tokens', 'create', ...args], env);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^aia_[\w-]{43}\n$/) });
  const listed = await cli(['tokens', 'list'], env);
  expect(listed.stdout).toMatch(/ada +reader +folders,audit .*valid/);
  expect(listed.stdout).not.toContain(made.stdout.trim());
  const [token] = (JSON.parse((await cli(['tokens', 'list', '--json'], env)).stdout) as { tokens: { id: string }[] })
    .tokens;
  expect(token).toMatchObject({
    agent: 'ada',
    role: 'reader',
    toolsets: ['folders', 'audit'],
    project: folder,
    status: 'valid',
  });
  expect(await cli(['tokens', 'revoke', token?.id ?? ''], env)).toMatchObject({ code: 0 });
  expect((await cli(['tokens', 'list'], env)).stdout).toContain('revoked');
});

test('M6 what makes no sense is refused with the next move', async () => {
  const env = scratchEnv(scratchFolder());
  const problems: [string[], number, string][] = [
    [[], 2, 'tokens create'],
    [['make'], 2, "Unknown tokens command 'make'"],
    [['create'], 2, '--agent NAME'],
    [['create', '--agent', ' '], 2, '--agent NAME'],
    [['create', '--agent', 'a', '--role', 'king'], 2, 'reader, editor, owner'],
    [['create', '--agent', 'a', '--expires', 'soon'], 2, '30d'],
    [['create', '--agent', 'a', '--expires', '2001-01-01'], 1, 'expired already'],
    [['create', '--agent', 'a', '--toolsets', 'none'], 1, "'none' is not a toolset"],
    [['create', '--agent', 'a', '--project', '/nowhere/at/all'], 2, 'is not a folder'],
    [['create', '--agent', 'a', '--toolsets', ','], 2, '--toolsets needs names'],
    [['create', 'ada'], 2, "Unexpected word 'ada'"],
    [['revoke'], 2, 'tokens list'],
    [['revoke', 'nobody'], 1, "There is no token 'nobody'"],
  ];
  for (const [args, code, text] of problems) {
    const finished = await cli(['tokens', ...args], env);
    expect([finished.code, finished.stderr], args.join(' ')).toEqual([code, expect.stringContaining(text)]);
  }
});

test('M5 only a hash is kept, and what was done is recorded', async () => {
  const workspace = await scratchWorkspace();
  const { text, token } = await workspace.tokens({ agent: 'olga' }).create({ agent: 'ada' });
  await workspace.tokens({ agent: 'olga' }).revoke(token.id);
  await expect(workspace.tokens().revoke('nobody')).rejects.toMatchObject({ type: 'not_found' });
  const log = await workspace.session().call('audit_list', {});
  expect(log).toMatchObject({
    entries: [
      { agent: 'olga', tool: 'token_create', outcome: 'succeeded', targets: [token.id] },
      { agent: 'olga', tool: 'token_revoke', outcome: 'succeeded', targets: [token.id] },
      { tool: 'token_revoke', outcome: 'failed', errorType: 'not_found' },
    ],
  });
  expect(await workspace.session().call('audit_verify', {})).toMatchObject({ intact: true });
  await workspace.close();
  const { readFileSync } = await import('node:fs');
  const stored = readFileSync(workspace.location, 'latin1');
  expect(stored.includes(text) || stored.includes(text.slice(4))).toBe(false);
});

test('M5 who is no owner may not make, list or revoke tokens', async () => {
  const workspace = await scratchWorkspace();
  for (const role of ['reader', 'editor'] as const) {
    const tokens = workspace.tokens({ role });
    const forbidden = { type: 'forbidden' };
    await expect(tokens.create({ agent: 'x', role: 'owner' })).rejects.toMatchObject(forbidden);
    await expect(tokens.list()).rejects.toMatchObject(forbidden);
    await expect(tokens.revoke('x')).rejects.toMatchObject(forbidden);
  }
  expect(await workspace.tokens().list()).toEqual([]);
  await expect(workspace.tokens().create({ agent: 'half \ud800' })).rejects.toMatchObject({ type: 'invalid_argument' });
});
