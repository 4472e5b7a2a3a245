/** Where settings come from, and what people read when one is wrong. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type ConfigEntry, configFile, loadConfig } from '../../src/config/config.js';
import { Failure } from '../../src/errors.js';
import { cli, scratchEnv, scratchFolder } from '../support/scratch.js';

/** What other tests choose for themselves is the default here. */
const unset = { AI_ASSIST_SQLITE_DRIVER: undefined, AI_ASSIST_EMBEDDER: undefined };

/** An environment with a configuration file of this content, and nothing set. */
function withFile(content: unknown) {
  const env = scratchEnv(scratchFolder(), unset);
  const file = configFile(env);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return { env, file };
}

const bare = () => scratchEnv(scratchFolder(), unset);

function failureOf(env: NodeJS.ProcessEnv): Failure {
  try {
    loadConfig(env);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Failure);
    return thrown as Failure;
  }
  throw new Error('The configuration was accepted.');
}

const valueAndOrigin = (env: NodeJS.ProcessEnv, name: string) => {
  const { value, origin } = loadConfig(env)
    .entries()
    .find((entry) => entry.name === name) as ConfigEntry;
  return { value, origin };
};

test('G50 the environment wins over the file, and the file over the default', () => {
  const { env, file } = withFile({ limits: { maxBatch: 20 } });
  expect(valueAndOrigin(bare(), 'limits.maxBatch')).toEqual({ value: 100, origin: 'default' });
  expect(valueAndOrigin(env, 'limits.maxBatch')).toEqual({ value: 20, origin: `file ${file}` });
  expect(valueAndOrigin({ ...env, AI_ASSIST_MAX_BATCH: '30' }, 'limits.maxBatch')).toEqual({
    value: 30,
    origin: 'environment variable AI_ASSIST_MAX_BATCH',
  });
});

test('G50 the file may name a setting with dots or in groups', () => {
  expect(loadConfig(withFile({ 'agent.name': 'Ann' }).env).get('agent.name')).toBe('Ann');
  expect(loadConfig(withFile({ agent: { name: 'Ann' } }).env).get('agent.name')).toBe('Ann');
});

test.each([
  ['true', true],
  ['1', true],
  ['Yes', true],
  ['ON', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
])('G50 the environment can say %s for a setting that is on or off', (text, value) => {
  expect(loadConfig({ ...bare(), AI_ASSIST_READ_ONLY: text }).get('readOnly')).toBe(value);
});

test('G50 every setting can be set in the file and in the environment', () => {
  for (const { name, env: variable, value: standard } of loadConfig(bare()).entries()) {
    const value = standard === '' ? 'example.com' : standard;
    const { env, file } = withFile({ [name]: value });
    expect(valueAndOrigin(env, name)).toEqual({ value, origin: `file ${file}` });
    expect(valueAndOrigin({ ...env, [variable]: String(value) }, name)).toEqual({
      value,
      origin: `environment variable ${variable}`,
    });
  }
});

test('G50 the command line shows every setting with its value and its origin', async () => {
  const { env, file } = withFile({ history: { days: 7 } });
  const { code, stdout } = await cli(['config', '--json'], { ...env, AI_ASSIST_ROLE: 'reader' });
  expect(code).toBe(0);
  const shown = JSON.parse(stdout) as ConfigEntry[];
  expect(shown).toEqual(loadConfig({ ...env, AI_ASSIST_ROLE: 'reader' }).entries());
  expect(shown).toContainEqual(expect.objectContaining({ name: 'history.days', value: 7, origin: `file ${file}` }));
  expect(shown).toContainEqual(
    expect.objectContaining({ name: 'agent.role', value: 'reader', origin: 'environment variable AI_ASSIST_ROLE' }),
  );
  expect(shown).toContainEqual(expect.objectContaining({ name: 'limits.maxBatch', origin: 'default' }));
});

test('G50 the command line shows the settings to people, with the place of the file', async () => {
  const { env, file } = withFile({ agent: { name: 'Ann' } });
  const { code, stdout } = await cli(['config'], env);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^agent\.name +Ann +file /m);
  for (const { name, env: variable } of loadConfig(env).entries()) {
    expect(stdout).toContain(name);
    expect(stdout).toContain(variable);
  }
  expect(stdout).toContain(`Configuration file: ${file}`);
});

const badTexts = [
  ['AI_ASSIST_MAX_BATCH', 'limits.maxBatch', 'many', 'a whole number, 1 or more'],
  ['AI_ASSIST_MAX_BATCH', 'limits.maxBatch', '0', 'a whole number, 1 or more'],
  ['AI_ASSIST_MAX_BATCH', 'limits.maxBatch', '-5', 'a whole number, 1 or more'],
  ['AI_ASSIST_MAX_BATCH', 'limits.maxBatch', '1.5', 'a whole number, 1 or more'],
  ['AI_ASSIST_MAX_BATCH', 'limits.maxBatch', '99999999999999999999', 'a whole number, 1 or more'],
  ['AI_ASSIST_OMNIFOCUS_TIMEOUT', 'omnifocus.timeoutSeconds', '0', 'a whole number of seconds, 1 to 86400'],
  ['AI_ASSIST_OMNIFOCUS_TIMEOUT', 'omnifocus.timeoutSeconds', '3000000', 'a whole number of seconds, 1 to 86400'],
  ['AI_ASSIST_PROJECT_LOCK_SECONDS', 'project.lockSeconds', '86401', 'a whole number, 0 to 86400'],
  ['AI_ASSIST_IDEMPOTENCY_HOURS', 'idempotency.hours', '999999999999999', 'a whole number, 1 to 8760'],
  ['AI_ASSIST_HISTORY_DAYS', 'history.days', '36501', 'a whole number, 0 to 36500'],
  ['AI_ASSIST_HTTP_PORT', 'http.port', '65536', 'a whole number, 0 to 65535'],
  ['AI_ASSIST_HTTP_SESSION_MINUTES', 'http.sessionMinutes', '10081', 'a whole number, 1 to 10080'],
  ['AI_ASSIST_ROLE', 'agent.role', 'king', 'one of reader, editor, owner'],
  ['AI_ASSIST_READ_ONLY', 'readOnly', 'maybe', 'true or false'],
  ['AI_ASSIST_READ_ONLY', 'readOnly', 'constructor', 'true or false'],
  ['AI_ASSIST_SQLITE_DRIVER', 'sqlite.driver', 'oracle', 'one of auto, node, libsql'],
  ['AI_ASSIST_AGENT', 'agent.name', '   ', 'text that is not empty'],
] as const;

test.each(badTexts)('G51 %s: the value of %s is refused by name: %s', (variable, name, value, allowed) => {
  const failure = failureOf({ ...bare(), [variable]: value });
  expect(failure.type).toBe('invalid_argument');
  expect(failure.message).toBe(
    `Invalid setting ${name} '${value}': must be ${allowed} (read from environment variable ${variable})`,
  );
});

const badValues = [
  ['limits.maxBatch', 'many', 'many'],
  ['limits.maxBatch', null, 'null'],
  ['limits.maxBatch', [5], '[5]'],
  ['limits.maxBatch', {}, '{}'],
  ['readOnly', 1, '1'],
  ['agent.role', 'king', 'king'],
  ['agent.name', '', ''],
  ['database', 5, '5'],
] as const;

test.each(badValues)('G51 in the file, %s with the value %j is refused by name', (name, value, shown) => {
  const { env, file } = withFile({ [name]: value });
  const failure = failureOf(env);
  expect(failure.message).toContain(`Invalid setting ${name} '${shown}': must be `);
  expect(failure.message).toContain(`(read from file ${file})`);
});

test('G51 the command line says what is wrong, and does nothing', async () => {
  const env = { ...bare(), AI_ASSIST_ROLE: 'king' };
  for (const args of [['config'], ['tool', 'list_folders'], ['mcp']]) {
    const { code, stdout, stderr } = await cli(args, env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain("Invalid setting agent.role 'king': must be one of reader, editor, owner");
    expect(stderr).toContain('environment variable AI_ASSIST_ROLE');
  }
});

test.each([
  [{ colour: 'red' }, 'colour'],
  [{ limits: { colour: 'red' } }, 'limits.colour'],
  [{ limits: 5 }, 'limits'],
  [{ Database: 'x' }, 'Database'],
  [{ '': 1 }, ''],
])('G52 an unknown setting is refused with the name of the file: %j', (content, name) => {
  const { env, file } = withFile(content);
  const failure = failureOf(env);
  expect(failure.message).toBe(`Unknown setting '${name}' (read from file ${file})`);
  expect(failure.instruction).toContain('limits.maxBatch');
});

test('G52 keys that steer objects are unknown settings, and steer nothing', () => {
  const { env } = withFile('{"__proto__": {"readOnly": true}, "constructor": {"prototype": {"x": 1}}}');
  expect(failureOf(env).message).toContain("Unknown setting '__proto__.readOnly'");
  expect(({} as { readOnly?: unknown }).readOnly).toBeUndefined();
});

test.each(['', 'agent: Ann', '{"agent": ', '[]', '"text"', '5', 'null'])(
  'G52 a file that is no JSON object is refused with its name: %j',
  (content) => {
    const { env, file } = withFile(content);
    const failure = failureOf(env);
    expect(failure.type).toBe('invalid_argument');
    expect(failure.message).toContain(`file ${file}`);
  },
);

test('G52 a folder in place of the file is refused with its name', () => {
  const env = bare();
  mkdirSync(configFile(env), { recursive: true });
  expect(failureOf(env).message).toContain(`file ${configFile(env)}`);
});

test('G53 empty environment variables count as not set', () => {
  const { env } = withFile({ agent: { role: 'reader' } });
  const variables = loadConfig(env)
    .entries()
    .map((entry) => [entry.env, '']);
  expect(loadConfig({ ...env, ...Object.fromEntries(variables) }).entries()).toEqual(loadConfig(env).entries());
});

test('G50 G51 settings that a program passes win, and are checked like all others', () => {
  const env = scratchEnv(scratchFolder(), { AI_ASSIST_MAX_BATCH: '7' });
  expect(loadConfig(env, { 'limits.maxBatch': 9 }).get('limits.maxBatch')).toBe(9);
  expect(() => loadConfig(env, { 'limits.maxBatch': -3 })).toThrow(
    "Invalid setting limits.maxBatch '-3': must be a whole number, 1 or more (read from option settings)",
  );
});
