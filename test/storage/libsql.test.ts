/** Loading the package libsql, on whatever Node and however it was installed. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadLibsql } from '../../src/storage/drivers/libsql.js';
import { root, runNode, scratchFolder } from '../support/scratch.js';

const near = createRequire(path.join(root, 'node_modules', 'libsql', 'index.js'));

test('G78 what libsql is answered while it loads is left to nobody else', () => {
  const before = near('detect-libc') as unknown;
  expect(loadLibsql()?.name).toBe('libsql');
  expect(near('detect-libc')).toBe(before);
  expect(near('@neon-rs/load')).toHaveProperty('load');
});

/** Packages are links into a store, and only there is what they need themselves. */
function isolatedInstall(): string {
  const [app, store] = [scratchFolder(), path.join(scratchFolder(), 'node_modules')];
  for (const file of ['storage/drivers/libsql.js', 'storage/drivers/connection.js', 'package-file.js']) {
    cpSync(path.join(root, 'dist', file), path.join(app, 'dist', file));
  }
  cpSync(path.join(root, 'package.json'), path.join(app, 'package.json'));
  const packages = ['@libsql', '@neon-rs'].map((name) => path.join(root, 'node_modules', name));
  mkdirSync(store);
  for (const folder of packages) symlinkSync(folder, path.join(store, path.basename(folder)));
  cpSync(path.join(root, 'node_modules', 'libsql'), path.join(store, 'libsql'), { recursive: true });
  mkdirSync(path.join(app, 'node_modules'));
  symlinkSync(path.join(store, 'libsql'), path.join(app, 'node_modules', 'libsql'));
  return app;
}

test('G78 libsql is found where packages are links to an isolated store', async () => {
  const driver = path.join(isolatedInstall(), 'dist', 'storage', 'drivers', 'libsql.js');
  const script = `import(${JSON.stringify(driver)}).then(({ loadLibsql }) => {
    const { connect } = loadLibsql();
    console.log(connect(':memory:').prepare('SELECT 1 AS one').get([]).one);
  })`;
  expect(await runNode(['-e', script], { PATH: process.env.PATH })).toMatchObject({ code: 0, stdout: '1\n' });
});
