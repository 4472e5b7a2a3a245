// Claims a collection, says so, and keeps it until the process is killed.
import { writeSync } from 'node:fs';
import { withClaim } from '../../dist/context/claim.js';
import { ensureCollection } from '../../dist/context/collection-store.js';
import { openDatabase } from '../../dist/storage/open.js';

const [location = '', id = ''] = process.argv.slice(2);
const driver = /** @type {'auto' | 'node' | 'libsql'} */ (process.env.AI_ASSIST_SQLITE_DRIVER || 'auto');
const database = await openDatabase({ location, driver });
/** @param {import('../../dist/storage/sql.js').Sql} sql */
const prepare = (sql) => ensureCollection(sql, id, { type: 'file', path: '/docs', glob: '*' }, 0);
const options = { signal: new AbortController().signal, now: Date.now, waitMs: 0, prepare };
await withClaim(database, id, options, async () => {
  writeSync(1, 'claimed\n');
  // The timer keeps the process alive: a promise alone does not.
  await new Promise((resolve) => setTimeout(resolve, 10 * 60_000));
});
