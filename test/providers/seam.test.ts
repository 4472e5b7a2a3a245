import { expect, test } from 'vitest';
import { z } from 'zod';
import { plainFailure } from '../../src/errors.js';
import { auditList } from '../../src/tools/audit/list.js';
import { defineTool } from '../../src/tools/define.js';
import { scratchWorkspace } from '../support/scratch.js';

const settings = { 'providers.folders': 'omnifocus' } as const;
const shared = { toolset: 'folders', port: 'folders', example: { input: {} }, errors: [] } as const;

/** Stands for a change that another program makes: it counts, and fails as it is told. */
function countUp(fail?: (count: number) => Error | undefined) {
  let count = 0;
  return defineTool({
    ...shared,
    name: 'count_up',
    summary: 'Count.',
    effect: 'write',
    input: {},
    output: { count: z.number() },
    run: async () => {
      count++;
      const failure = fail?.(count);
      if (failure) throw failure;
      return { count };
    },
  });
}

const sqlOf = defineTool({
  ...shared,
  name: 'ask_sql',
  summary: 'Ask the open transaction.',
  effect: 'read',
  input: {},
  output: { answer: z.string() },
  run: async (_input, { sql, database }) => {
    const refused = await sql.get('SELECT 1').then(
      () => 'a transaction is open',
      () => 'no transaction',
    );
    await database.read((own) => own.get('SELECT 1'));
    return { answer: refused };
  },
});

test('O1 an unknown provider is refused by name', async () => {
  const bad = scratchWorkspace({ settings: { 'providers.folders': 'things' as 'library' } });
  await expect(bad).rejects.toThrow("Invalid setting providers.folders 'things': must be one of library, omnifocus");
});

test('O2 a change through the port of another provider takes the route outside', async () => {
  const workspace = await scratchWorkspace({ settings, tools: [countUp(), auditList] });
  const session = workspace.session();
  const call = () => session.callUntyped('count_up', { idempotencyKey: 'k1' });
  expect(await call()).toEqual({ success: true, count: 1 });
  expect(await call()).toEqual({ success: true, count: 1 });
  await session.close();
  const log = (await session.callUntyped('audit_list', {})) as unknown as { entries: { outcome: string }[] };
  expect(log.entries.map((entry) => entry.outcome)).toEqual(['started', 'succeeded', 'replayed']);
});

test('O2 with the library as provider the same tool takes the route of the database', async () => {
  const session = (await scratchWorkspace({ tools: [countUp(), auditList] })).session();
  expect(await session.callUntyped('count_up', {})).toEqual({ success: true, count: 1 });
  expect(await session.callUntyped('audit_list', {})).toMatchObject({ entries: [{ outcome: 'succeeded' }] });
});

test('O3 a version is refused before the provider is asked, and after a known key', async () => {
  const session = (await scratchWorkspace({ settings, tools: [countUp()] })).session();
  for (const more of [{}, { dryRun: true }, { idempotencyKey: 'k1' }]) {
    expect(await session.callUntyped('count_up', { version: 'r1', ...more })).toMatchObject({
      success: false,
      error: "Invalid version 'r1': omnifocus keeps no versions",
      error_type: 'invalid_argument',
    });
  }
  expect(await session.callUntyped('count_up', { idempotencyKey: 'k1' })).toEqual({ success: true, count: 1 });
  const again = await session.callUntyped('count_up', { idempotencyKey: 'k1', version: 'r1' });
  expect(again).toEqual({ success: true, count: 1 });
});

test('O4 a failure that may have happened keeps its key; another one frees it', async () => {
  const late = plainFailure('internal', 'too late').with({ mayHaveHappened: true });
  const session = (
    await scratchWorkspace({ settings, tools: [countUp((count) => (count === 1 ? late : undefined))] })
  ).session();
  const call = (idempotencyKey: string) => session.callUntyped('count_up', { idempotencyKey });
  expect(await call('k1')).toMatchObject({ error: 'too late', mayHaveHappened: true });
  expect(await call('k1')).toMatchObject({ error_type: 'conflict' });
  expect(await call('k2')).toEqual({ success: true, count: 2 });
});

test('O5 a read of another provider holds no transaction', async () => {
  const there = (await scratchWorkspace({ settings, tools: [sqlOf] })).session();
  expect(await there.callUntyped('ask_sql', {})).toEqual({ success: true, answer: 'no transaction' });
  const here = (await scratchWorkspace({ tools: [sqlOf] })).session();
  expect(await here.callUntyped('ask_sql', {})).toEqual({ success: true, answer: 'a transaction is open' });
});
