// Holds a write transaction open, with a change in it, until the parent says so by a file.
import { existsSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { openDatabase } from '../../dist/storage/open.js';

const [location = '', holding = '', release = ''] = process.argv.slice(2);
const driver = /** @type {'auto' | 'node' | 'libsql'} */ (process.env.AI_ASSIST_SQLITE_DRIVER || 'auto');
const database = await openDatabase({ location, driver });
await database.write(async (sql) => {
  await sql.run("INSERT INTO settings (name, value) VALUES ('mark', 'held')");
  writeFileSync(holding, '');
  while (!existsSync(release)) await setImmediate();
});
await database.close();
